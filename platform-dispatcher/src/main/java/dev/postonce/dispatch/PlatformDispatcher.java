package dev.postonce.dispatch;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Import;

/** Makes each platform show what was asked for, once. */
@SpringBootConfiguration
@EnableAutoConfiguration(exclude = KafkaAutoConfiguration.class)
@Import(DispatchConfiguration.class)
public class PlatformDispatcher {

    public static void main(String[] args) {
        SpringApplication.run(PlatformDispatcher.class, args);
    }
}
