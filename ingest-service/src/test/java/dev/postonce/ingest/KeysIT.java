package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.DELTA_OPS;
import static dev.postonce.ingest.Intake.GAMMA_OPS;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.count;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventJson;
import dev.postonce.contract.KeyState;
import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.tenant.KeyUses;
import dev.postonce.runtime.ApiKeyToken;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What operators do with keys and secrets: shown once, audited, told to the other services, and never a stranger's. */
class KeysIT {

    @Test
    void a_key_is_made_used_rotated_and_revoked_and_no_two_tries_are_confused() {
        Answer made = post(OPS, "/v1/keys", body("rotating", "submit", "read"));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        assertThat(made.header("Cache-Control")).isEqualTo("no-store");
        String first = made.at("api_key");
        assertThat(first).startsWith("pk_test_" + keyId(made) + "_");
        assertThat(post(first, "/v1/tasks", campaign("keys-1"), "Idempotency-Key", "keys-1")
                        .status())
                .isEqualTo(201);

        Answer rotated = post(OPS, "/v1/keys/" + keyId(made) + ":rotate", "");
        assertThat(rotated.status()).as(rotated.text()).isEqualTo(201);
        assertThat(rotated.at("rotates")).isEqualTo(keyId(made));
        String second = rotated.at("api_key");
        // The client outlives its keys, so a try with the old key and its repetition with the new one are one.
        Answer repeated = post(second, "/v1/tasks", campaign("keys-1"), "Idempotency-Key", "keys-1");
        assertThat(repeated.status()).isEqualTo(200);
        assertThat(repeated.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(get(first, "/v1/tasks/keys-1").status()).isEqualTo(200);

        Answer revoked = post(OPS, "/v1/keys/" + keyId(made) + ":revoke", "");
        assertThat(revoked.status()).isEqualTo(200);
        assertThat(revoked.body().path("idempotent_replay").asBoolean(true)).isFalse();
        assertThat(revoked.body().path("key").path("state").asString()).isEqualTo("revoked");
        assertThat(get(first, "/v1/tasks/keys-1").status()).isEqualTo(401);
        assertThat(get(second, "/v1/tasks/keys-1").status()).isEqualTo(200);
        Answer again = post(OPS, "/v1/keys/" + keyId(made) + ":revoke", "");
        assertThat(again.body().path("idempotent_replay").asBoolean()).isTrue();
        assertThat(post(OPS, "/v1/keys/" + keyId(made) + ":rotate", "").at("error_code"))
                .isEqualTo("key_conflict");

        assertThat(statesOf(keyId(made))).extracting(KeyState::deleted).containsExactly(false, true);
        assertThat(statesOf(keyId(rotated))).extracting(KeyState::clientId).containsExactly("rotating");
        assertThat(Intake.sql()
                        .sql(
                                "select outcome from ingest.audit where client_id = 'operator' and detail like ? order by id")
                        .param("%" + keyId(made) + "%")
                        .query(String.class)
                        .list())
                .containsExactly("created", "created", "withdrawn", "replay");
    }

    @Test
    void a_client_never_has_more_than_two_keys_that_work_however_many_ask_at_once() {
        List<Callable<Answer>> asks = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            asks.add(() -> post(OPS, "/v1/keys", body("crowded", "read")));
        }
        List<Answer> answers = Intake.together(asks);
        assertThat(answers).filteredOn(answer -> answer.status() == 201).hasSize(2);
        assertThat(answers)
                .filteredOn(answer -> answer.status() != 201)
                .allSatisfy(answer -> assertThat(answer.at("error_code")).isEqualTo("key_conflict"));
        assertThat(count("ingest.api_key where client_id = 'crowded'")).isEqualTo(2);
    }

    @Test
    void a_dry_run_changes_nothing() {
        long events = count("ingest.outbox_event where topic = 'postonce.key.v1'");
        Answer made = post(OPS, "/v1/keys?dry_run=true", body("never", "read"));
        assertThat(made.status()).isEqualTo(200);
        assertThat(made.body().path("dry_run").asBoolean()).isTrue();
        assertThat(made.body().has("api_key")).isFalse();
        String own = ApiKeyToken.parse(ALPHA).orElseThrow().keyId();
        assertThat(post(OPS, "/v1/keys/" + own + ":revoke?dry_run=true", "").status())
                .isEqualTo(200);
        assertThat(post(OPS, "/v1/keys/callback-secret:rotate?dry_run=true", "{}")
                        .body()
                        .has("callback_secret"))
                .isFalse();
        assertThat(count("ingest.api_key where client_id = 'never'")).isZero();
        assertThat(count("ingest.outbox_event where topic = 'postonce.key.v1'")).isEqualTo(events);
        assertThat(get(ALPHA, "/v1/tasks").status()).isEqualTo(200);
    }

    @Test
    void the_last_key_for_operators_cannot_be_revoked() {
        String own = ApiKeyToken.parse(DELTA_OPS).orElseThrow().keyId();
        Answer refused = post(DELTA_OPS, "/v1/keys/" + own + ":revoke", "");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.at("detail")).contains("last key");
        assertThat(get(DELTA_OPS, "/v1/keys").status()).isEqualTo(200);
    }

    @Test
    void what_is_wrong_with_a_wanted_key_is_said_field_by_field_and_other_scopes_may_not_ask() {
        assertThat(post(OPS, "/v1/keys", "{\"client_id\":\"A b\",\"scopes\":[\"root\"],\"rate_per_second\":0,\"x\":1}")
                        .pointers())
                .containsExactlyInAnyOrder("/client_id", "/scopes", "/rate_per_second", "/x");
        assertThat(post(OPS, "/v1/keys", "{\"client_id\":\"a\",\"scopes\":[]}").pointers())
                .containsExactly("/scopes");
        for (String path : List.of("/v1/keys", "/v1/keys/callback-secret")) {
            assertThat(get(ALPHA, path).status()).as(path).isEqualTo(403);
        }
        for (String path : List.of("/v1/keys", "/v1/keys/alphakey:revoke", "/v1/keys/callback-secret:rotate")) {
            assertThat(post(ALPHA, path, "{}").status()).as(path).isEqualTo(403);
        }
    }

    @Test
    void the_list_shows_use_and_never_a_secret() {
        get(OPS, "/v1/keys");
        Intake.service().bean(KeyUses.class).write();
        Answer list = get(OPS, "/v1/keys");
        assertThat(list.text()).doesNotContain("secret_digest", "betaops").contains("\"client_id\":\"operator\"");
        for (JsonNode key : list.body().path("keys")) {
            if (key.path("client_id").asString().equals("operator")) {
                assertThat(key.path("last_used_at").asString("")).startsWith("20");
            }
        }
    }

    @Test
    void a_new_callback_secret_signs_beside_the_old_one_and_is_kept_encrypted() {
        post(GAMMA_OPS, "/v1/keys/callback-secret:rotate", "{}");
        Answer rotated = post(GAMMA_OPS, "/v1/keys/callback-secret:rotate", "{\"keep_old_s\":600}");
        assertThat(rotated.status()).as(rotated.text()).isEqualTo(200);
        String secret = rotated.at("callback_secret");
        assertThat(secret).startsWith("whsec_").hasSizeGreaterThan(40);
        assertThat(rotated.body().path("secrets")).hasSizeGreaterThanOrEqualTo(2);
        Answer state = get(GAMMA_OPS, "/v1/keys/callback-secret");
        assertThat(state.body().path("secrets").path(0).path("state").asString())
                .isEqualTo("present");
        assertThat(state.text()).doesNotContain("whsec_");
        assertThat(count("ingest.audit where route = 'POST /v1/keys/callback-secret:rotate' and tenant_id = 'gamma'"))
                .isGreaterThanOrEqualTo(2);
        assertThat(count("ingest.tenant t where t::text like '%" + secret.substring(6) + "%'"))
                .isZero();
    }

    @Test
    void a_key_over_its_rate_is_told_when_to_come_again_and_leaves_few_traces() {
        String slow = post(OPS, "/v1/keys", body("slow", "submit").replace("}", ",\"rate_per_second\":1}"))
                .at("api_key");
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            answers.add(post(slow, "/v1/tasks", campaign("slow-1")));
        }
        List<Answer> limited =
                answers.stream().filter(answer -> answer.status() == 429).toList();
        assertThat(limited).hasSizeGreaterThan(5);
        assertThat(limited).allSatisfy(answer -> {
            assertThat(answer.at("error_code")).isEqualTo("rate_limited");
            assertThat(answer.body().path("retryable").asBoolean()).isTrue();
            assertThat(answer.header("Retry-After")).matches("[1-9]");
        });
        assertThat(answers.get(0).status()).isEqualTo(201);
        assertThat(count("ingest.audit where client_id = 'slow' and error_code = 'rate_limited'"))
                .isBetween(1L, (long) limited.size() - 1);
        // What the key may not do at all comes first, and others do not wait for it.
        assertThat(get(slow, "/v1/tasks").status()).isEqualTo(403);
        assertThat(post(ALPHA, "/v1/tasks", campaign("slow-1")).status()).isEqualTo(200);
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> post(slow, "/v1/tasks", campaign("slow-1")).status() == 200);
    }

    private static String body(String client, String... scopes) {
        return "{\"client_id\":\"" + client + "\",\"scopes\":[\"" + String.join("\",\"", scopes) + "\"]}";
    }

    private static String keyId(Answer answer) {
        return answer.body().path("key").path("key_id").asString();
    }

    private static List<KeyState> statesOf(String keyId) {
        return Intake.sql()
                .sql(
                        "select data from ingest.outbox_event where topic = 'postonce.key.v1' and subject = ? order by seq")
                .param(keyId)
                .query(String.class)
                .list()
                .stream()
                .map(data -> EventJson.read(data, KeyState.class))
                .toList();
    }
}
