package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.article;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** One line a request, with what a person searches for, and metrics that say the same. */
class RequestLogIT {

    @Test
    void each_request_is_one_line_that_tells_who_what_and_what_became_of_it() {
        List<ILoggingEvent> events;
        try (Logged requests = new Logged("dev.postonce.ingest.request")) {
            events = requests.events();
            String key = "idempotency-key-of-the-log";
            post(ALPHA, "/v1/tasks", campaign("logged-1"), "X-Request-Id", "log-1", "Idempotency-Key", key);
            post(ALPHA, "/v1/tasks", campaign("logged-1"), "X-Request-Id", "log-2", "Idempotency-Key", key);
            post(ALPHA, "/v1/tasks", campaign("logged-2"), "X-Request-Id", "log-3", "Idempotency-Key", key);
            post(ALPHA, "/v1/tasks", article("logged-slug", "en", "text"), "X-Request-Id", "log-4");
            post(ALPHA, "/v1/tasks", "{}", "X-Request-Id", "log-5");
            post("", "/v1/tasks", "{}", "X-Request-Id", "log-6");
            get(ALPHA, "/v1/tasks/logged-1");
            get("", "/actuator/health/liveness");
            // The line is written behind the answer.
            Awaitility.await().until(() -> events.size() >= 7);
        }
        Map<String, Map<String, Object>> lines = new LinkedHashMap<>();
        events.forEach(event -> {
            Map<String, Object> line = new LinkedHashMap<>();
            event.getKeyValuePairs().forEach(pair -> line.put(pair.key, pair.value));
            assertThat(lines.put(String.valueOf(line.get("request_id")), line)).isNull();
        });
        assertThat(lines).hasSize(7);

        assertThat(lines.get("log-1"))
                .containsEntry("outcome", "created")
                .containsEntry("status_code", 201)
                .containsEntry("route", "POST /v1/tasks")
                .containsEntry("tenant_id", "alpha")
                .containsEntry("client_id", "cms")
                .containsEntry("external_id", "logged-1")
                .containsEntry("idempotency_key", "idempotency-")
                .containsKey("elapsed_ms");
        assertThat(lines.get("log-2")).containsEntry("outcome", "replay").containsEntry("status_code", 200);
        assertThat(lines.get("log-3"))
                .containsEntry("outcome", "conflict")
                .containsEntry("error_code", "idempotency_key_reused");
        assertThat(lines.get("log-4")).containsEntry("slug", "logged-slug").containsEntry("language", "en");
        assertThat(lines.get("log-5")).containsEntry("outcome", "refused").containsEntry("error_code", "bad_payload");
        assertThat(lines.get("log-6"))
                .containsEntry("error_code", "unauthorized")
                .doesNotContainKey("tenant_id");
    }

    @Test
    void the_metrics_count_what_was_asked_and_what_became_of_it() {
        post(ALPHA, "/v1/tasks", campaign("metered-1"), "Idempotency-Key", "metered-1");
        post(ALPHA, "/v1/tasks", campaign("metered-1"), "Idempotency-Key", "metered-1");
        post(ALPHA, "/v1/tasks", campaign("metered-1"));
        post(ALPHA, "/v1/tasks", "{}");

        String scraped = get("", "/actuator/prometheus").text();
        assertThat(scraped)
                .contains(
                        "postonce_intake_requests_seconds_count{outcome=\"created\",route=\"POST /v1/tasks\"}",
                        "postonce_intake_idempotency_hits_total{kind=\"header\"}",
                        "postonce_intake_idempotency_hits_total{kind=\"natural\"}",
                        "postonce_intake_unique_conflicts_total{table=\"task\"}",
                        "postonce_intake_refusals_total{code=\"bad_payload\"}",
                        "postonce_intake_step_seconds_count{step=\"create\"}",
                        "hikaricp_connections_active{pool=\"ingest-requests\"}",
                        "hikaricp_connections_active{pool=\"ingest-workers\"}")
                .doesNotContain("metered-1");
    }
}
