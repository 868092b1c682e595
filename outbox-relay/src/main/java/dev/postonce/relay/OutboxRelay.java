package dev.postonce.relay;

import java.util.Arrays;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Publishes the outbox tables; with {@code --postonce.admin=topics} creates the topics and ends. */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = KafkaAutoConfiguration.class)
@Import(RelayConfiguration.class)
public class OutboxRelay {

    private static final String ADMIN_TOPICS = "--postonce.admin=topics";

    public static void main(String[] args) {
        if (Arrays.asList(args).contains(ADMIN_TOPICS)) {
            SpringApplication admin = new SpringApplication(TopicsStep.class);
            admin.setWebApplicationType(WebApplicationType.NONE);
            System.exit(SpringApplication.exit(admin.run(args)));
        }
        SpringApplication.run(OutboxRelay.class, args);
    }
}
