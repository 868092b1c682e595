package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.ALPHA_OTHER_CLIENT;
import static dev.postonce.ingest.Intake.ALPHA_ROTATED;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.put;
import static dev.postonce.ingest.Intake.withdraw;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.storage.WorkerStorage;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The Idempotency-Key header: its form, its scope, its life, and how to ask what became of it. */
class IdempotencyIT {

    private static JsonNode only(Answer lookedUp) {
        assertThat(lookedUp.status()).as(lookedUp.text()).isEqualTo(200);
        assertThat(lookedUp.body().path("requests")).hasSize(1);
        return lookedUp.body().path("requests").get(0);
    }

    @Test
    void a_key_tells_state_outcome_resource_and_expiry_of_each_write() {
        Answer created = post(ALPHA, "/v1/tasks", campaign("ask-1"), "Idempotency-Key", "ask-created");
        post(ALPHA, "/v1/tasks", campaign("ask-1"), "Idempotency-Key", "ask-replay");
        put(ALPHA, "/v1/tasks/ask-1", campaign("ask-1").put("title", "b"), "1", "Idempotency-Key", "ask-updated");
        withdraw(ALPHA, "ask-1", "Idempotency-Key", "ask-withdrawn");
        post(ALPHA, "/v1/groups", "{\"group_id\":\"@ask_group\"}", "Idempotency-Key", "ask-group");

        JsonNode first = only(get(ALPHA, "/v1/requests/ask-created"));
        assertThat(first.path("state").asString()).isEqualTo("completed");
        assertThat(first.path("outcome").asString()).isEqualTo("created");
        assertThat(first.path("status_code").asInt()).isEqualTo(201);
        assertThat(first.path("id").asString()).isEqualTo(created.at("id"));
        assertThat(first.path("external_id").asString()).isEqualTo("ask-1");
        assertThat(first.path("location").asString()).isEqualTo("/v1/tasks/ask-1");
        Instant from = Instant.parse(first.path("created_at").asString());
        assertThat(Duration.between(from, Instant.parse(first.path("expires_at").asString())))
                .isEqualTo(Duration.ofDays(7));
        for (String outcome : new String[] {"replay", "updated", "withdrawn"}) {
            JsonNode use = only(get(ALPHA, "/v1/requests/ask-" + outcome));
            assertThat(use.path("outcome").asString()).isEqualTo(outcome);
            assertThat(use.path("status_code").asInt()).isEqualTo(200);
            assertThat(use.path("id").asString()).isEqualTo(created.at("id"));
        }
        assertThat(only(get(ALPHA, "/v1/requests/ask-group")).path("group").asString())
                .isEqualTo("submit_index/u:ask_group");
    }

    @Test
    void a_key_is_its_clients_alone_and_one_key_may_stand_for_a_request_of_each_route() {
        post(ALPHA, "/v1/tasks", campaign("routes-1"), "Idempotency-Key", "routes-key");
        withdraw(ALPHA, "routes-1", "Idempotency-Key", "routes-key");

        assertThat(get(ALPHA, "/v1/requests/routes-key").body().path("requests"))
                .hasSize(2);
        assertThat(get(ALPHA_OTHER_CLIENT, "/v1/requests/routes-key").status()).isEqualTo(404);
        assertThat(get(BETA, "/v1/requests/routes-key").status()).isEqualTo(404);
    }

    @Test
    void a_rotation_of_the_api_key_between_try_and_retry_changes_nothing() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("rotate-1"), "Idempotency-Key", "rotate-1");
        Answer retry = post(ALPHA_ROTATED, "/v1/tasks", campaign("rotate-1"), "Idempotency-Key", "rotate-1");
        Answer other = post(ALPHA_ROTATED, "/v1/tasks", campaign("rotate-2"), "Idempotency-Key", "rotate-1");

        assertThat(retry.status()).as(retry.text()).isEqualTo(200);
        assertThat(retry.at("id")).isEqualTo(first.at("id"));
        assertThat(retry.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(other.at("error_code")).isEqualTo("idempotency_key_reused");
        assertThat(only(get(ALPHA_ROTATED, "/v1/requests/rotate-1")).path("id").asString())
                .isEqualTo(first.at("id"));
        assertThat(count("ingest.outbox_event where record_key = 'alpha:rotate-1'"))
                .isEqualTo(1);
    }

    @Test
    void quoted_and_bare_are_one_key_and_it_is_found_by_its_value() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("form-1"), "Idempotency-Key", "\"a \\\"key\\\" / 1\"");
        Answer again = post(ALPHA, "/v1/tasks", campaign("form-1"), "Idempotency-Key", " \"a \\\"key\\\" / 1\" ");

        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(only(get(ALPHA, "/v1/requests/a%20%22key%22%20%2F%201"))
                        .path("external_id")
                        .asString())
                .isEqualTo("form-1");
    }

    @Test
    void a_key_that_is_too_long_empty_or_sent_twice_is_refused_and_stores_nothing() {
        assertThat(post(ALPHA, "/v1/tasks", campaign("form-2"), "Idempotency-Key", "k".repeat(129))
                        .pointers())
                .containsExactly("header:Idempotency-Key");
        assertThat(post(ALPHA, "/v1/tasks", campaign("form-2"), "Idempotency-Key", "\"\"")
                        .status())
                .isEqualTo(400);
        Answer twice =
                Intake.send(HttpRequest.newBuilder(URI.create(Intake.service().url() + "/v1/tasks"))
                        .header("Authorization", "Bearer " + ALPHA)
                        .header("Content-Type", "application/json")
                        .header("Idempotency-Key", "one")
                        .header("Idempotency-Key", "two")
                        .POST(BodyPublishers.ofString(campaign("form-2").toString()))
                        .build());
        assertThat(twice.status()).isEqualTo(400);
        assertThat(count("ingest.task where external_id = 'form-2'")).isZero();
        assertThat(post(ALPHA, "/v1/tasks", campaign("form-2"), "Idempotency-Key", "k".repeat(128))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void an_expired_key_is_unknown_is_swept_and_the_resource_stays_known_by_its_id() {
        Answer first = post(ALPHA, "/v1/tasks", campaign("expired-1"), "Idempotency-Key", "expired-1");
        Intake.sql()
                .sql("update ingest.idempotency_record set expires_at = now() - interval '1 s'"
                        + " where resource_ref = 'expired-1'")
                .update();

        assertThat(get(ALPHA, "/v1/requests/expired-1").status()).isEqualTo(404);
        assertThat(new JdbcRequests(Intake.service().bean(WorkerStorage.class).client()).sweep(Instant.now(), 1_000))
                .isPositive();
        assertThat(count("ingest.idempotency_record where resource_ref = 'expired-1'"))
                .isZero();
        Answer again = post(ALPHA, "/v1/tasks", campaign("expired-1"), "Idempotency-Key", "expired-1");
        assertThat(again.at("id")).isEqualTo(first.at("id"));
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
    }

    @Test
    void a_refused_request_leaves_its_key_free_for_the_mended_one() {
        assertThat(post(ALPHA, "/v1/tasks", campaign("mended-1").put("title", ""), "Idempotency-Key", "mended-1")
                        .status())
                .isEqualTo(400);
        assertThat(get(ALPHA, "/v1/requests/mended-1").status()).isEqualTo(404);
        assertThat(post(ALPHA, "/v1/tasks", campaign("mended-1"), "Idempotency-Key", "mended-1")
                        .status())
                .isEqualTo(201);
    }
}
