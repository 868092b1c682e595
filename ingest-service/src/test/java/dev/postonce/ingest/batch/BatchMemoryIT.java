package dev.postonce.ingest.batch;

import static dev.postonce.ingest.Intake.count;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Doomed;
import dev.postonce.ingest.Intake;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A batch that is larger than the memory of the process that takes it. */
@Tag("parts")
class BatchMemoryIT {

    private static final int LINES = 10_000;
    private static final String TEXT = "<p>" + "memory ".repeat(1_150) + "</p>";

    /**
     * 82 MB in, 7 MB of answers out, and nobody reads these before the last line is sent. They fill the connection long
     * before: that must not count as the silence of any other client, which is short here.
     */
    @Test
    void ten_thousand_lines_fit_into_a_process_with_less_memory_than_they_have_bytes() throws Exception {
        Intake.service();
        int created = 0;
        try (Doomed small = new Doomed(List.of("-Xmx76m"), Map.of("server.tomcat.connection-timeout", "5s"));
                Wire wire = new Wire(small.url())) {
            for (int i = 0; i < LINES; i++) {
                wire.send("{\"external_id\":\"mem-" + i + "\",\"title\":\"t\",\"content_html\":\"<p>" + i + "</p>"
                        + TEXT + "\",\"target_platforms\":[\"webhook\"]}");
            }
            wire.end();
            for (JsonNode answer = wire.answer(); !answer.has("summary"); answer = wire.answer()) {
                created += answer.path("status_code").asInt() == 201 ? 1 : 0;
            }
        }
        assertThat(created).isEqualTo(LINES);
        assertThat(count("ingest.task where external_id like 'mem-%'")).isEqualTo(LINES);
        assertThat(count("ingest.outbox_event where record_key like 'alpha:mem-%'"))
                .isEqualTo(LINES);
    }
}
