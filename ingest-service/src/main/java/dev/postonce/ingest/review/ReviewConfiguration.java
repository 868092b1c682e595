package dev.postonce.ingest.review;

import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The objects of the review. */
@Configuration(proxyBeanMethods = false)
public class ReviewConfiguration {

    @Bean
    ReviewController reviewController(JdbcClient jdbc, InstantSource clock) {
        return new ReviewController(new JdbcReview(jdbc), clock);
    }
}
