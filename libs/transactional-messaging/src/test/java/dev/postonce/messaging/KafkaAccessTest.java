package dev.postonce.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaAccessTest {

    private static final String JAAS = "org.apache.kafka.common.security.plain.PlainLoginModule required"
            + " username=\"relay\" password=\"canary\";";

    @TempDir
    Path directory;

    @Test
    void without_a_file_a_client_knows_nothing_but_the_address() {
        assertThat(KafkaAccess.of("one:9092", " ").settings()).isEqualTo(Map.of("bootstrap.servers", "one:9092"));
    }

    @Test
    void every_client_gets_what_the_file_says_and_no_log_does() throws IOException {
        KafkaAccess access = KafkaAccess.of(
                "one:9092,two:9092",
                file("security.protocol=SASL_SSL\nsasl.mechanism=PLAIN\nsasl.jaas.config=" + JAAS
                        + "\nssl.truststore.location=/etc/ca.pem\n"));

        assertThat(access.settings())
                .isEqualTo(Map.of(
                        "bootstrap.servers", "one:9092,two:9092",
                        "security.protocol", "SASL_SSL",
                        "sasl.mechanism", "PLAIN",
                        "sasl.jaas.config", JAAS,
                        "ssl.truststore.location", "/etc/ca.pem"));
        assertThat(access).hasToString("Kafka at one:9092,two:9092, SASL_SSL");
    }

    @Test
    void what_belongs_to_the_service_is_refused_by_name_and_without_values() throws IOException {
        String file = file("security.protocol=SASL_SSL\nenable.idempotence=canary\nacks=0\n");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaAccess.of("one:9092", file))
                .withMessageContaining("POSTONCE_KAFKA_CLIENT_CONFIG")
                .withMessageContaining("acks")
                .withMessageContaining("enable.idempotence")
                .withMessageNotContaining("canary");
    }

    @Test
    void a_file_that_would_count_for_nothing_is_refused() throws IOException {
        String file = file("sasl.mechanism=PLAIN\n");

        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaAccess.of("one:9092", file))
                .withMessageContaining("security.protocol");
    }

    @Test
    void a_file_that_is_not_there_is_named() {
        String file = directory.resolve("nowhere").toString();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> KafkaAccess.of("one:9092", file))
                .withMessageContaining(file);
    }

    private String file(String text) throws IOException {
        return Files.writeString(directory.resolve("client.properties"), text).toString();
    }
}
