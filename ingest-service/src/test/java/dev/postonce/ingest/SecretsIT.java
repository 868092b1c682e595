package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.BETA;
import static dev.postonce.ingest.Intake.GAMMA_OPS;
import static dev.postonce.ingest.Intake.OPS;
import static dev.postonce.ingest.Intake.campaign;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.read.ListAppender;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.KeyState;
import dev.postonce.ingest.tenant.ApiKeys;
import dev.postonce.ingest.tenant.JdbcTenants;
import dev.postonce.ingest.tenant.SecretCipher;
import dev.postonce.ingest.tenant.TenantBootstrap;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Secret;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Secrets reach no row, no log line and no answer; keys travel as events, revocations too. */
class SecretsIT {

    private static final String BODY_CANARY = "canary-body-4711";
    private static final String KEY_CANARY = "canary-idempotency-key-that-is-long";

    @Test
    void canaries_appear_in_no_row_no_log_line_and_no_error() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        log.start();
        root.addAppender(log);
        List<String> answers = new ArrayList<>();
        List<String> made = new ArrayList<>();
        try {
            String forged = ALPHA.substring(0, ALPHA.length() - 8) + "00000000";
            answers.add(post(
                            ALPHA,
                            "/v1/tasks",
                            campaign("canary-1").put("content_html", "<p>" + BODY_CANARY + "</p>"),
                            "Idempotency-Key",
                            KEY_CANARY)
                    .text());
            answers.add(post(ALPHA, "/v1/tasks", campaign("canary-2"), "Idempotency-Key", KEY_CANARY)
                    .text());
            answers.add(post(forged, "/v1/tasks", campaign("canary-1")).text());
            answers.add(post(BETA, "/v1/tasks", "{\"title\":\"" + BODY_CANARY + "\",")
                    .text());
            answers.add(post(BETA, "/v1/tasks", "{\"title\":\"\\u0000" + BODY_CANARY + "\"}")
                    .text());
            answers.add(post(
                            ALPHA,
                            "/v1/tasks",
                            campaign("canary-3").put("callback_url", "https://u:" + BODY_CANARY + "@a.example/"))
                    .text());
            answers.add(get(ALPHA, "/v1/tasks/canary-1/audit").text());
            // These answers show the secret that they make; nothing else ever does.
            made.add(post(OPS, "/v1/keys", "{\"client_id\":\"canary\",\"scopes\":[\"read\"]}")
                    .at("api_key"));
            made.add(post(GAMMA_OPS, "/v1/keys/callback-secret:rotate", "{}").at("callback_secret"));
            made.add(post(GAMMA_OPS, "/v1/intake-secrets", "{\"client_id\":\"canary\"}")
                    .at("intake_secret"));
            answers.add(get(GAMMA_OPS, "/v1/intake-secrets").text());
            answers.add(get(GAMMA_OPS, "/v1/audit?limit=200").text());
            answers.add(get(made.get(0), "/v1/keys").text());
            answers.add(get(OPS, "/v1/keys").text());
            answers.add(get(GAMMA_OPS, "/v1/keys/callback-secret").text());
            answers.add(get(OPS, "/v1/audit?limit=200").text());
            answers.add(post(OPS, "/v1/keys", "{\"client_id\":\"" + made.get(0) + "\",\"scopes\":[\"read\"]}")
                    .text());
            answers.add(get(ALPHA, "/v1/tasks?status=" + made.get(0)).text());
        } finally {
            root.detachAppender(log);
        }
        assertThat(made).noneMatch(String::isEmpty);
        List<String> secrets = List.of(
                secretOf(made.get(0)),
                made.get(1).substring("whsec_".length()),
                made.get(2).substring("pis_".length()),
                secretOf(ALPHA),
                secretOf(BETA),
                Intake.CALLBACK_SECRET,
                TestIngest.PEPPER,
                TestIngest.SECRETS_KEY,
                KEY_CANARY);

        String logged = text(log.list);
        assertThat(logged).contains("canary-1").doesNotContain(BODY_CANARY);
        for (String secret : secrets) {
            assertThat(logged).doesNotContain(secret);
            assertThat(String.join("\n", answers)).doesNotContain(secret);
        }
        assertThat(answers.subList(1, answers.size())).noneMatch(answer -> answer.contains(BODY_CANARY));
        for (String table : Intake.sql()
                .sql("select table_name from information_schema.tables where table_schema = 'ingest'")
                .query(String.class)
                .list()) {
            String rows = String.join(
                    "\n",
                    Intake.sql()
                            .sql("select t::text from ingest." + table + " t")
                            .query(String.class)
                            .list());
            for (String secret : secrets) {
                assertThat(rows).as(table).doesNotContain(secret);
            }
            if (table.equals("audit") || table.equals("idempotency_record")) {
                assertThat(rows).as(table).doesNotContain(BODY_CANARY);
            }
        }
    }

    @Test
    void a_callback_secret_is_kept_encrypted_for_its_tenant_alone() {
        byte[] kept =
                Intake.service().bean(JdbcTenants.class).callbackSecret("alpha").orElseThrow();
        SecretCipher cipher = Intake.service().bean(SecretCipher.class);

        assertThat(cipher.decrypt(kept, TenantBootstrap.purposeOf("alpha")))
                .isEqualTo(Secret.of(Intake.CALLBACK_SECRET));
        assertThat(org.assertj.core.api.Assertions.catchThrowable(
                        () -> cipher.decrypt(kept, TenantBootstrap.purposeOf("beta"))))
                .isInstanceOf(IllegalStateException.class);
        assertThat(Intake.service().bean(JdbcTenants.class).callbackSecret("beta"))
                .isEmpty();
    }

    @Test
    void issuing_is_one_event_however_often_the_file_is_read_and_revoking_is_another() {
        try (TestIngest second = TestIngest.start(Intake.database(), java.util.Map.of())) {
            assertThat(second.url()).isNotBlank();
        }
        String keyId = ApiKeyToken.parse(Intake.SUBMIT_ONLY).orElseThrow().keyId();
        assertThat(statesOf(keyId)).hasSize(1);

        assertThat(Intake.service().bean(ApiKeys.class).revoke("beta", "betakey2"))
                .isFalse();
        assertThat(Intake.service().bean(ApiKeys.class).revoke("beta", keyId)).isFalse();
        assertThat(post(Intake.REVOCABLE, "/v1/tasks", campaign("revoke-1")).status())
                .isEqualTo(201);
        String revoked = ApiKeyToken.parse(Intake.REVOCABLE).orElseThrow().keyId();
        assertThat(Intake.service().bean(ApiKeys.class).revoke("alpha", revoked))
                .isTrue();
        assertThat(Intake.service().bean(ApiKeys.class).revoke("alpha", revoked))
                .isFalse();

        List<KeyState> states = statesOf(revoked);
        assertThat(states).extracting(KeyState::version).containsExactly(1L, 2L);
        assertThat(states).extracting(KeyState::deleted).containsExactly(false, true);
        Awaitility.await()
                .atMost(Duration.ofSeconds(15))
                .until(() -> post(Intake.REVOCABLE, "/v1/tasks", campaign("revoke-1"))
                                .status()
                        == 401);
        try (TestIngest again = Intake.start()) {
            assertThat(post(again, Intake.REVOCABLE, "/v1/tasks", campaign("revoke-1"))
                            .status())
                    .isEqualTo(401);
        }
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

    private static String secretOf(String key) {
        return ApiKeyToken.parse(key).orElseThrow().secret().reveal();
    }

    private static String text(List<ILoggingEvent> events) {
        StringBuilder text = new StringBuilder();
        for (ILoggingEvent event : List.copyOf(events)) {
            text.append(event.getFormattedMessage()).append(event.getKeyValuePairs());
            if (event.getThrowableProxy() != null) {
                text.append(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }
        return text.toString();
    }
}
