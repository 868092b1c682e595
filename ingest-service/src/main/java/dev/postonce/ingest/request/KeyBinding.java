package dev.postonce.ingest.request;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.Outcome;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The record that a statement writes for the request's Idempotency-Key; without a key the statement writes none.
 *
 * @param route part of the key's scope
 * @param remembered how long the key stands for its request
 */
public record KeyBinding(
        Exchange exchange,
        Principal caller,
        String route,
        Duration remembered,
        Instant now,
        Outcome outcome,
        int status) {

    /** Binds the parameters {@code :key_…} of a statement that looks a key up or writes its record. */
    public JdbcParameters bind(JdbcParameters parameters) {
        @Nullable IdempotencyKey key = exchange.idempotencyKey();
        return parameters
                .text("tenant_id", caller.tenantId())
                .text("key_client", caller.clientId())
                .text("key_route", route)
                .text("key_digest", key == null ? null : key.digest())
                .text("key_prefix", key == null ? null : key.prefix())
                .text("key_payload", exchange.payloadDigest())
                .text("key_outcome", outcome.wireName())
                .number("key_status", (long) status)
                .time("key_now", now)
                .time("key_expires", now.plus(remembered));
    }
}
