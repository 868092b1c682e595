package dev.postonce.ingest.site;

import dev.postonce.ingest.storage.WorkerStorage;
import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The objects of the sitemaps. */
@Configuration(proxyBeanMethods = false)
public class SiteConfiguration {

    @Bean
    SitemapController sitemapController(JdbcClient jdbc, WorkerStorage workers, InstantSource clock) {
        return new SitemapController(new JdbcSites(jdbc, workers.client()), clock, SitemapController.Limits.STANDARD);
    }
}
