package dev.postonce.ingest.check;

import dev.postonce.ingest.IngestSettings;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.task.SubmissionReader;
import dev.postonce.ingest.tenant.TenantPolicies;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.runtime.http.OutgoingPolicy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The objects of the check. */
@Configuration(proxyBeanMethods = false)
public class CheckConfiguration {

    @Bean
    CheckController checkController(
            OutgoingPolicy policy, IngestSettings settings, JdbcClient jdbc, TenantPolicies policies, JsonBody bodies) {
        SubmissionReader reader = new SubmissionReader(policy, settings.bodyBytesMax());
        return new CheckController(
                new TaskCheck(reader, new ContentCleaner(), new JdbcCheckReads(jdbc), policies), bodies);
    }
}
