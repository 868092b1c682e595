package dev.postonce.ingest.tenant;

import dev.postonce.ingest.IngestSettings;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.messaging.OutboxAppender;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.Secret;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** Tenants, their keys and secrets. Finding out who calls comes before there is a tenant, so it is background work. */
@Configuration(proxyBeanMethods = false)
public class TenantConfiguration {

    /** Secrets at rest. */
    @Bean
    SecretCipher secretCipher(IngestSettings settings, SecureRandom random) {
        return SecretCipher.of(settings.secretsKey(), random);
    }

    @Bean
    JdbcTenants jdbcTenants(WorkerStorage workers) {
        return new JdbcTenants(workers.client());
    }

    @Bean
    ApiKeys apiKeys(JdbcTenants tenants, WorkerStorage workers, Ids ids, InstantSource clock, IngestSettings settings) {
        return new ApiKeys(
                tenants,
                new OutboxAppender(workers.template(), "ingest"),
                workers.transactions(),
                ids,
                clock,
                Secret.of(settings.keyPepper()));
    }

    /** Before the web server takes requests: a singleton's initialisation comes before it. */
    @Bean
    SmartInitializingSingleton firstTenants(
            JdbcTenants tenants,
            JdbcTenantPolicies policies,
            ApiKeys keys,
            SecretCipher cipher,
            WorkerStorage workers,
            IngestSettings settings) {
        TenantBootstrap bootstrap = new TenantBootstrap(tenants, policies, keys, cipher, workers.transactions());
        return () -> bootstrap.run(settings.bootstrapFile());
    }

    @Bean(initMethod = "start")
    KeyUses keyUses(JdbcTenants tenants) {
        return new KeyUses(tenants);
    }

    @Bean
    Authenticator authenticator(JdbcTenants tenants, KeyUses uses, IngestSettings settings, InstantSource clock) {
        return new Authenticator(tenants, Secret.of(settings.keyPepper()), settings.keyCacheTtl(), clock, uses);
    }

    /** On the requests' storage, unlike what is above: an operator acts for one tenant. */
    @Bean
    KeyAdmin.Tools keyTools(
            JdbcTemplate template,
            TransactionTemplate transactions,
            JdbcAudit audit,
            Ids ids,
            InstantSource clock,
            IngestSettings settings) {
        JdbcClient jdbc = JdbcClient.create(template);
        JdbcTenants tenants = new JdbcTenants(jdbc);
        ApiKeys issuer = new ApiKeys(
                tenants,
                new OutboxAppender(template, "ingest"),
                transactions,
                ids,
                clock,
                Secret.of(settings.keyPepper()));
        return new KeyAdmin.Tools(new JdbcKeys(jdbc), tenants, issuer, audit, transactions);
    }

    @Bean
    KeyController keyController(
            KeyAdmin.Tools tools,
            Authenticator authenticator,
            InstantSource clock,
            SecureRandom random,
            JsonBody bodies) {
        return new KeyController(new KeyAdmin(tools, authenticator, clock, random), bodies);
    }
}
