package dev.postonce.ingest.storage;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * The database for work that is not one tenant's request: looking a key up, following events, sending callbacks,
 * sweeping. Its policy lets it see all tenants, so nothing that a request asks for may run on it.
 */
public record WorkerStorage(JdbcClient client, JdbcTemplate template, TransactionTemplate transactions) {}
