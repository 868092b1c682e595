package dev.postonce.ingest.callback;

import dev.postonce.ingest.IngestSettings;
import dev.postonce.ingest.audit.JdbcAudit;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.ingest.target.TargetConfiguration;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.InstantSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/** The objects that follow the targets' states and tell the upstreams. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CallbackSettings.class)
@Import(TargetConfiguration.class)
public class CallbackConfiguration {

    @Bean
    JdbcCallbackSecrets callbackSecrets(WorkerStorage workers, SecretCipher cipher) {
        return new JdbcCallbackSecrets(workers.client(), workers.transactions(), cipher);
    }

    @Bean
    RetrySchedule retrySchedule(CallbackSettings settings, SecureRandom random) {
        return new RetrySchedule(settings.schedule(), random);
    }

    @Bean
    JdbcCallbackWriter callbackWriter(WorkerStorage workers, RetrySchedule schedule) {
        return new JdbcCallbackWriter(workers.template(), schedule.beforeFirst());
    }

    @Bean
    JdbcLanes callbackLanes(WorkerStorage workers, IngestSettings ingest, CallbackSettings settings) {
        String owner = ingest.instance().isEmpty()
                ? "ingest-" + ProcessHandle.current().pid()
                : ingest.instance();
        return new JdbcLanes(workers.client(), workers.transactions(), owner, settings.lease());
    }

    @Bean
    SafeHttpClient callbackHttp(OutgoingPolicy policy, CallbackSettings settings) {
        return new SafeHttpClient(new OutgoingPolicy(
                policy.allowHttp(),
                policy.allowLoopback(),
                policy.allowedPorts(),
                policy.trustedHosts(),
                CallbackSettings.CONNECT_TIMEOUT,
                settings.timeout(),
                policy.responseBytesMax()));
    }

    @Bean
    CallbackSender callbackSender(SafeHttpClient callbackHttp, JdbcCallbackSecrets secrets, InstantSource clock) {
        return new HttpCallbackSender(callbackHttp, secrets, clock);
    }

    @Bean
    DeliveryLoop deliveryLoop(
            JdbcLanes lanes,
            CallbackSender sender,
            RetrySchedule schedule,
            CallbackSettings settings,
            MeterRegistry meters) {
        return new DeliveryLoop(lanes, new LaneWorker(lanes, sender, schedule, meters), settings, meters);
    }

    @Bean
    CallbackController callbackController(JdbcClient jdbc) {
        return new CallbackController(new JdbcCallbackReads(jdbc));
    }

    /** On the requests' storage: an operator acts for one tenant. */
    @Bean
    CallbackSecretController.Tools callbackSecretTools(
            JdbcClient jdbc,
            TransactionTemplate transactions,
            SecretCipher cipher,
            JdbcAudit audit,
            InstantSource clock) {
        JdbcCallbackSecrets secrets = new JdbcCallbackSecrets(jdbc, transactions, cipher);
        return new CallbackSecretController.Tools(secrets, audit, transactions, clock);
    }

    @Bean
    CallbackSecretController callbackSecretController(
            CallbackSecretController.Tools tools, JsonBody bodies, SecureRandom random) {
        return new CallbackSecretController(tools, bodies, random);
    }
}
