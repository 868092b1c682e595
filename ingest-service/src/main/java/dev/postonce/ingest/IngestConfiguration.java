package dev.postonce.ingest;

import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.http.OutgoingPolicy;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Every object of the service, and what it is given. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(IngestSettings.class)
public class IngestConfiguration {

    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(20);
    private static final int ANSWER_BYTES_MAX = 64 * 1024;

    @Bean
    InstantSource instantSource() {
        return InstantSource.system();
    }

    @Bean
    Ids ids() {
        return Ids.random();
    }

    @Bean
    SecureRandom secureRandom() {
        return new SecureRandom();
    }

    @Bean
    TransactionTemplate transactionTemplate(PlatformTransactionManager manager) {
        return new TransactionTemplate(manager);
    }

    /** What callback, cover and canonical URLs may be. */
    @Bean
    OutgoingPolicy outgoingPolicy(IngestSettings settings) {
        return settings.allowLoopback()
                ? OutgoingPolicy.loopbackToo(CALL_TIMEOUT, ANSWER_BYTES_MAX)
                : OutgoingPolicy.strict(CALL_TIMEOUT, ANSWER_BYTES_MAX);
    }

    /** Callback secrets at rest. */
    @Bean
    SecretCipher secretCipher(IngestSettings settings, SecureRandom random) {
        return SecretCipher.of(settings.secretsKey(), random);
    }
}
