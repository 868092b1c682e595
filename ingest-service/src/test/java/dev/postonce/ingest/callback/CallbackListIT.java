package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.ingest.Intake;
import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.storage.WorkerStorage;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** From a task's callback_url, by the running service, to the list that its upstream reads. */
class CallbackListIT {

    private static final CallbackSink SINK = new CallbackSink();

    @AfterAll
    static void close() {
        SINK.close();
    }

    @Test
    void an_upstream_sees_what_it_was_sent_page_by_page_signed_by_the_secret_of_the_bootstrap_file() {
        Answer created = Intake.post(
                Intake.ALPHA,
                "/v1/tasks",
                Intake.campaign("listed-callbacks").put("callback_url", SINK.url("/listed")));
        assertThat(created.status()).isEqualTo(201);
        tell("wordpress", 3);
        tell("webhook", 2);
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> SINK.deliveriesTo("/listed").size() == 2);
        assertThat(SINK.deliveriesTo("/listed")).allMatch(delivery -> delivery.isSignedBy(Intake.CALLBACK_SECRET));
        await().atMost(30, TimeUnit.SECONDS)
                .until(() -> list(Intake.READ_ONLY, "").body().path("callbacks").findValuesAsString("state").stream()
                        .allMatch("delivered"::equals));

        Answer first = list(Intake.READ_ONLY, "?limit=1");
        assertThat(first.status()).isEqualTo(200);
        assertThat(first.body().at("/callbacks/0/platform").asString()).isEqualTo("webhook");
        assertThat(first.body().at("/callbacks/0/sequence").asLong()).isEqualTo(2);
        assertThat(first.body().at("/callbacks/0/attempts").asInt()).isEqualTo(1);
        assertThat(first.body().at("/callbacks/0/last_status_code").asInt()).isEqualTo(204);
        assertThat(first.body().at("/callbacks/0/webhook_id").asString())
                .isEqualTo(SINK.deliveriesTo("/listed").get(1).id());
        Answer second = list(Intake.READ_ONLY, "?limit=1&cursor=" + first.at("next_cursor"));
        assertThat(second.body().at("/callbacks/0/platform").asString()).isEqualTo("wordpress");
    }

    @Test
    void nobody_else_sees_them() {
        Intake.post(Intake.ALPHA, "/v1/tasks", Intake.campaign("private-callbacks"));
        assertThat(Intake.get(Intake.ALPHA, "/v1/tasks/private-callbacks/callbacks")
                        .status())
                .isEqualTo(200);
        assertThat(Intake.get(Intake.BETA, "/v1/tasks/private-callbacks/callbacks")
                        .status())
                .isEqualTo(404);
        assertThat(Intake.get(Intake.SUBMIT_ONLY, "/v1/tasks/private-callbacks/callbacks")
                        .status())
                .isEqualTo(403);
        assertThat(Intake.get("", "/v1/tasks/private-callbacks/callbacks").status())
                .isEqualTo(401);
        assertThat(Intake.get(Intake.ALPHA, "/v1/tasks/no-such-task/callbacks").status())
                .isEqualTo(404);
    }

    private static Answer list(String key, String query) {
        return Intake.get(key, "/v1/tasks/listed-callbacks/callbacks" + query);
    }

    private static void tell(String platform, long dispatchVersion) {
        NewCallback callback = new NewCallback(
                "alpha",
                "listed-callbacks",
                null,
                platform,
                "published",
                "https://blog.example.com/p/1",
                null,
                1,
                dispatchVersion,
                Instant.parse("2026-11-11T00:00:00Z"));
        Intake.service().bean(WorkerStorage.class).transactions().executeWithoutResult(status -> Intake.service()
                .bean(JdbcCallbackWriter.class)
                .append(List.of(callback)));
        Intake.service().bean(DeliveryLoop.class).wake();
    }
}
