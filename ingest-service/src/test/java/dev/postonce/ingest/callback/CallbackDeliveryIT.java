package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postonce.ingest.callback.CallbackSink.Delivery;
import dev.postonce.runtime.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a receiver may do, and what it is sent then. */
class CallbackDeliveryIT extends DeliveryBench {

    @Test
    void a_receiver_that_fails_gets_the_same_message_again_with_a_new_signature() {
        sink.answers((exchange, nth) -> exchange.sendResponseHeaders(nth < 3 ? 500 : 200, -1));
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("delivered") == 1);
        assertThat(sink.deliveries()).hasSize(3).allMatch(delivery -> delivery.isSignedBy(SECRET));
        assertThat(sink.deliveries()).extracting(Delivery::id).containsOnly(idOf("a", "wordpress", 1));
        assertThat(sink.deliveries())
                .extracting(Delivery::body)
                .containsOnly(sink.deliveries().get(0).body());
        assertThat(row("a")).containsEntry("attempts", 3).containsEntry("last_status_code", 200);
    }

    @Test
    void silence_and_a_swallowed_answer_are_tried_again() {
        CountDownLatch end = new CountDownLatch(1);
        sink.answers((exchange, nth) -> {
            if (nth == 1) {
                CallbackSink.hang(end).to(exchange, nth);
            } else if (nth == 2) {
                exchange.close();
            } else {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("delivered") == 1);
        end.countDown();
        assertThat(sink.deliveries()).extracting(Delivery::id).hasSize(3).containsOnly(idOf("a", "wordpress", 1));
        assertThat(outcomes("timeout") + outcomes("connection_broken")).isEqualTo(2);
    }

    @Test
    void a_redirect_is_a_failure_is_not_followed_and_parks_at_the_end_of_the_schedule() {
        sink.answers((exchange, nth) -> {
            exchange.getResponseHeaders().set("Location", sink.url("/elsewhere"));
            exchange.sendResponseHeaders(302, -1);
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        tell("dev", "a", "webhook", "published", 1);
        loop(2, 2);
        await().until(() -> count("parked") == 2);
        assertThat(sink.deliveriesTo("/elsewhere")).isEmpty();
        assertThat(sink.deliveriesTo("/a")).hasSize(2 * ATTEMPTS);
        assertThat(row("a")).containsEntry("last_outcome", "status_3xx");
        assertThat(lanes("x").backlog().parked()).isEqualTo(2);
    }

    @Test
    void a_410_ends_the_endpoint_and_what_comes_later_is_parked_unsent() {
        sink.answers(CallbackSink.status(410));
        tasks.task("dev", "a", sink.url("/a"));
        tasks.task("dev", "b", sink.url("/b"));
        tell("dev", "a", "wordpress", "published", 1);
        DeliveryLoop loop = loop(2, 2);
        await().until(() -> count("parked") == 1);
        tell("dev", "a", "webhook", "published", 1);
        sink.answers(CallbackSink.status(200));
        tell("dev", "b", "webhook", "published", 1);
        loop.wake();
        await().until(() -> count("parked") == 2 && count("delivered") == 1);
        assertThat(sink.deliveriesTo("/a")).hasSize(1);
        assertThat(jdbc.queryForList("select last_outcome from ingest.callback where external_id = 'a'", String.class))
                .containsOnly("endpoint_gone");
    }

    @Test
    void retry_after_is_honoured() {
        sink.answers((exchange, nth) -> {
            if (nth == 1) {
                exchange.getResponseHeaders().set("Retry-After", "1");
            }
            exchange.sendResponseHeaders(nth == 1 ? 429 : 200, -1);
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("delivered") == 1);
        long waitedMs = TimeUnit.NANOSECONDS.toMillis(sink.deliveries().get(1).receivedNanos()
                - sink.deliveries().get(0).receivedNanos());
        assertThat(waitedMs).isBetween(900L, 5000L);
    }

    @Test
    void after_an_outage_only_the_newest_state_of_each_target_is_sent() {
        AtomicBoolean down = new AtomicBoolean(true);
        sink.answers((exchange, nth) -> exchange.sendResponseHeaders(down.get() ? 503 : 200, -1));
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "failed", 1);
        loop(2, 2);
        await().until(() -> !sink.deliveries().isEmpty());
        loops.get(0).stop();
        tell("dev", "a", "wordpress", "published", 2);
        tell("dev", "a", "webhook", "failed", 1);
        tell("dev", "a", "wordpress", "withdrawn", 3);
        down.set(false);
        loop(2, 2);
        await().until(() -> count("pending") == 0);
        assertThat(sink.deliveries()
                        .get(sink.deliveries().size() - 1)
                        .json()
                        .get("status")
                        .asString())
                .isEqualTo("withdrawn");
        assertThat(sink.deliveries().get(sink.deliveries().size() - 1).sequence())
                .isEqualTo(4);
        assertThat(sink.deliveries()).extracting(Delivery::id).doesNotContain(idOf("a", "wordpress", 2));
        assertThat(count("superseded")).isEqualTo(2);
        assertThat(count("delivered")).isEqualTo(2);
    }

    @Test
    void a_parked_callback_is_settled_by_a_newer_one_of_its_target() {
        sink.answers(CallbackSink.status(404));
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "failed", 1);
        DeliveryLoop loop = loop(2, 2);
        await().until(() -> count("parked") == 1);
        sink.answers(CallbackSink.status(200));
        tell("dev", "a", "wordpress", "published", 2);
        loop.wake();
        await().until(() -> count("delivered") == 1);
        assertThat(count("superseded")).isEqualTo(1);
        assertThat(lanes("x").backlog().parked()).isZero();
    }

    @Test
    void both_secrets_sign_while_receivers_change_over_and_then_the_new_one_alone() {
        tasks.task("dev", "a", sink.url("/a"));
        secrets.set("dev", Secret.of(NEXT_SECRET), Duration.ofHours(1));
        tell("dev", "a", "wordpress", "published", 1);
        DeliveryLoop loop = loop(2, 2);
        await().until(() -> count("delivered") == 1);
        assertThat(sink.deliveries().get(0).isSignedBy(SECRET)).isTrue();
        assertThat(sink.deliveries().get(0).isSignedBy(NEXT_SECRET)).isTrue();

        jdbc.update("update ingest.callback_secret set signs_until = now()");
        tell("dev", "a", "wordpress", "withdrawn", 2);
        loop.wake();
        await().until(() -> count("delivered") == 2);
        assertThat(sink.deliveries().get(1).isSignedBy(SECRET)).isFalse();
        assertThat(sink.deliveries().get(1).isSignedBy(NEXT_SECRET)).isTrue();
    }

    @Test
    void a_secret_is_unreadable_at_rest_and_in_another_tenants_row() {
        byte[] ciphertext = jdbc.queryForObject(
                "select callback_secret_ciphertext from ingest.tenant where tenant_id = 'dev'", byte[].class);
        assertThat(new String(ciphertext, StandardCharsets.ISO_8859_1)).doesNotContain(SECRET.substring(6, 20));
        jdbc.update("update ingest.tenant set callback_secret_ciphertext = ? where tenant_id = 'mall'", ciphertext);
        assertThatThrownBy(() -> secrets.of("mall")).isInstanceOf(IllegalStateException.class);
        assertThat(secrets.of("dev")).containsExactly(Secret.of(SECRET));
        assertThatThrownBy(() -> secrets.set("nobody", Secret.of(SECRET), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void without_a_secret_nothing_leaves_until_there_is_one() {
        jdbc.update("update ingest.tenant set callback_secret_ciphertext = null");
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("parked") == 1);
        assertThat(sink.deliveries()).isEmpty();
        assertThat(row("a")).containsEntry("last_outcome", "no_callback_secret");
    }

    @Test
    void a_url_that_leads_inside_is_never_called() {
        tasks.task("dev", "a", "http://169.254.169.254/latest");
        tasks.task("dev", "b", null);
        tell("dev", "a", "wordpress", "published", 1);
        tell("dev", "b", "wordpress", "published", 1);
        loop(2, 2);
        await().until(() -> count("parked") == 2);
        assertThat(row("a")).containsEntry("last_outcome", "blocked_url").containsEntry("attempts", 1);
        assertThat(row("b")).containsEntry("last_outcome", "no_callback_url");
    }
}
