package dev.postonce.ingest;

import dev.postonce.ingest.audit.AuditConfiguration;
import dev.postonce.ingest.batch.BatchConfiguration;
import dev.postonce.ingest.callback.CallbackConfiguration;
import dev.postonce.ingest.check.CheckConfiguration;
import dev.postonce.ingest.intake.IntakeConfiguration;
import dev.postonce.ingest.openapi.ApiConfiguration;
import dev.postonce.ingest.review.ReviewConfiguration;
import dev.postonce.ingest.site.SiteConfiguration;
import dev.postonce.ingest.storage.StorageConfiguration;
import dev.postonce.ingest.tenant.TenantConfiguration;
import org.springframework.boot.Banner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Takes submissions, keeps each once, and tells the upstream what became of it. */
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({
    StorageConfiguration.class,
    TenantConfiguration.class,
    AuditConfiguration.class,
    IngestConfiguration.class,
    ApiConfiguration.class,
    CheckConfiguration.class,
    ReviewConfiguration.class,
    SiteConfiguration.class,
    CallbackConfiguration.class,
    BatchConfiguration.class,
    IntakeConfiguration.class
})
public class IngestService {

    public static void main(String[] arguments) {
        SpringApplication application = new SpringApplication(IngestService.class);
        application.setBannerMode(Banner.Mode.OFF);
        application.run(arguments);
    }
}
