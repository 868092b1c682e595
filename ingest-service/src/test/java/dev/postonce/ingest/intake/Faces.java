package dev.postonce.ingest.intake;

import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.SubmitType;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.TestIngest;
import dev.postonce.ingest.batch.Batches;
import dev.postonce.runtime.Secret;
import dev.postonce.testinfra.TestInfra;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The three ways in, for tests that ask the same of each. What became of a submission is read from its audit row, which
 * is the same for all.
 */
final class Faces {

    /** Who sends. */
    enum Sender {
        ALPHA(Intake.ALPHA, Intake.INTAKE_KEY_ID, Intake.INTAKE_SECRET),
        BETA(Intake.BETA, "beta-intake", "pis_beta-beta-beta-beta-beta-beta-beta"),
        STRICT(Intake.STRICT, "strict-intake", "pis_strict-strict-strict-strict-strict"),
        NOBODY("pk_test_none_0_0", Intake.INTAKE_KEY_ID, "another secret");

        private final String apiKey;
        private final String keyId;
        private final String secret;

        Sender(String apiKey, String keyId, String secret) {
            this.apiKey = apiKey;
            this.keyId = keyId;
            this.secret = secret;
        }

        String apiKey() {
            return apiKey;
        }
    }

    /** What the audit says of a submission. */
    record Told(int status, String error, String outcome, String externalId) {}

    /** One way in. */
    enum Face {
        HTTP {
            @Override
            String send(Sender sender, SubmitType type, String body, String key) {
                String request = "http-" + NUMBER.incrementAndGet();
                String[] headers = {"Idempotency-Key", key, "X-Request-Id", request};
                switch (type) {
                    case TASK_SUBMIT -> post(kafka(), sender.apiKey, "/v1/tasks", body, headers);
                    case GROUP_SUBMIT -> post(kafka(), sender.apiKey, "/v1/groups", body, headers);
                    case TASK_UPDATE -> {
                        ObjectNode json = (ObjectNode) Intake.JSON.readTree(body);
                        String version = json.path("if_match").asString("");
                        json.remove("if_match");
                        String path = "/v1/tasks/" + json.path("external_id").asString();
                        put(kafka(), sender.apiKey, path, json, version, headers);
                    }
                    case TASK_WITHDRAW -> {
                        ObjectNode json = (ObjectNode) Intake.JSON.readTree(body);
                        String path = "/v1/tasks/" + json.path("external_id").asString() + "/withdraw";
                        json.remove("external_id");
                        post(kafka(), sender.apiKey, path, json, headers);
                    }
                }
                return request;
            }
        },
        BATCH {
            @Override
            String send(Sender sender, SubmitType type, String body, String key) {
                String request = "batch-" + NUMBER.incrementAndGet();
                String line =
                        body.startsWith("{\"") ? "{\"idempotency_key\":\"" + key + "\"," + body.substring(1) : body;
                int status = Batches.raw(
                                kafka(), sender.apiKey, BodyPublishers.ofString(line + "\n"), "X-Request-Id", request)
                        .status();
                // A wrong key is refused before the first line.
                return status == 200 ? request + ":1" : request;
            }
        },
        KAFKA {
            @Override
            String send(Sender sender, SubmitType type, String body, String key) {
                return topic().send(type, key, body, sender.keyId, sender.secret);
            }
        };

        /** The request id under which its audit row stands. */
        abstract String send(Sender sender, SubmitType type, String body, String key);

        Told submit(Object body) {
            return submit(body, anyKey());
        }

        Told submit(Object body, String key) {
            return submit(Sender.ALPHA, SubmitType.TASK_SUBMIT, body, key);
        }

        Told submit(Sender sender, SubmitType type, Object body) {
            return submit(sender, type, body, anyKey());
        }

        Told submit(Sender sender, SubmitType type, Object body, String key) {
            return told(send(sender, type, body.toString(), key));
        }

        /** So that what one face leaves is not what the next one finds. */
        String id(String row) {
            return row + "-" + name().toLowerCase(Locale.ROOT);
        }
    }

    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static @Nullable SubmitTopic topic;
    private static @Nullable TestIngest kafka;

    private Faces() {}

    static String anyKey() {
        return "faces-key-" + NUMBER.incrementAndGet();
    }

    /** One instance for all three, which follows the intake topic and waits shorter than others. */
    static void start() throws Exception {
        Intake.service();
        SubmitTopic.create();
        topic = new SubmitTopic();
        startKafka();
        IntakeSecrets secrets = kafka().bean(IntakeSecrets.class);
        for (Sender sender : new Sender[] {Sender.BETA, Sender.STRICT}) {
            secrets.issue(sender.name().toLowerCase(Locale.ROOT), "cms", sender.keyId, Secret.of(sender.secret));
        }
    }

    static void startKafka() {
        kafka = Intake.start(
                Map.of("POSTONCE_KAFKA_BOOTSTRAP", TestInfra.kafkaBootstrap(), "POSTONCE_CLAIM_WAIT_MS", "500"));
    }

    static void end() {
        kafka().close();
        topic().close();
    }

    static SubmitTopic topic() {
        return Objects.requireNonNull(topic);
    }

    static TestIngest kafka() {
        return Objects.requireNonNull(kafka);
    }

    static Told told(String requestId) {
        return await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(50))
                .until(() -> audited(requestId), Optional::isPresent)
                .orElseThrow();
    }

    static Optional<Told> audited(String requestId) {
        return Intake.sql()
                .sql("select status_code, coalesce(error_code, '') as error_code, outcome,"
                        + " coalesce(external_id, '') as external_id"
                        + " from ingest.audit where request_id = ? order by id desc limit 1")
                .param(requestId)
                .query((row, number) -> new Told(
                        row.getInt("status_code"),
                        row.getString("error_code"),
                        row.getString("outcome"),
                        row.getString("external_id")))
                .optional();
    }

    static void is(Told told, int status, String errorOrOutcome) {
        assertThat(told.status()).as(told.toString()).isEqualTo(status);
        assertThat(status < 300 ? told.outcome() : told.error()).isEqualTo(errorOrOutcome);
    }
}
