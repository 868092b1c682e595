package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicsTest {

    @Test
    void no_submission_is_older_than_is_promised() {
        Map<String, String> settings = Topics.all().stream()
                .filter(spec -> spec.name().equals(Topics.SUBMIT))
                .findFirst()
                .orElseThrow()
                .settings();
        // A segment is deleted whole, once its newest record is past the retention.
        Duration oldest = Duration.ofMillis(Long.parseLong(settings.get("retention.ms")))
                .plusMillis(Long.parseLong(settings.get("segment.ms")));
        assertThat(oldest).isLessThan(Topics.SUBMIT_AGE_MAX);
    }

    @Test
    void each_topic_and_each_kind_of_submission_has_a_place_in_the_documents() throws IOException {
        String asyncApi = Files.readString(Path.of("../../docs/asyncapi.yaml"));
        String names = Files.readString(Path.of("../../docs/names.md"));
        for (Topics.Spec spec : Topics.all()) {
            if (!spec.name().endsWith(".dlt")) {
                assertThat(asyncApi).contains("address: " + spec.name());
                assertThat(names).contains("`" + spec.name() + "`");
            }
        }
        for (SubmitType type : SubmitType.values()) {
            assertThat(asyncApi).contains("- " + type.ceType());
            assertThat(Files.readString(Path.of("../../docs/submit.md"))).contains("`" + type.ceType() + "`");
        }
    }
}
