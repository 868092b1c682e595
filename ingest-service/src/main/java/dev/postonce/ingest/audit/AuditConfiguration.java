package dev.postonce.ingest.audit;

import dev.postonce.ingest.web.JsonBody;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The audit and its face. */
@Configuration(proxyBeanMethods = false)
public class AuditConfiguration {

    @Bean
    JdbcAudit jdbcAudit(JdbcClient jdbc) {
        return new JdbcAudit(jdbc);
    }

    @Bean
    AuditController auditController(
            JdbcClient jdbc, JdbcAudit audit, TransactionTemplate transactions, JsonBody bodies, InstantSource clock) {
        return new AuditController(new JdbcAuditTrail(jdbc), audit, transactions, bodies, clock);
    }
}
