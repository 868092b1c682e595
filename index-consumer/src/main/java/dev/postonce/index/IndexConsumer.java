package dev.postonce.index;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The process: entries in PostgreSQL, a Lucene replica, the search. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import(IndexConfiguration.class)
public class IndexConsumer {

    public static void main(String[] args) {
        SpringApplication.run(IndexConsumer.class, args);
    }
}
