package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postonce.ingest.callback.CallbackSink.Delivery;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Several workers, and the order of what they send. */
class CallbackLanesIT extends DeliveryBench {

    @Test
    void two_instances_deliver_each_callback_once_signed_and_in_the_order_of_its_lane() {
        DeliveryLoop one = loop(8, 8);
        loop(8, 8);
        for (int task = 0; task < 40; task++) {
            tasks.task("dev", "t" + task, sink.url("/t" + task));
            tell("dev", "t" + task, "wordpress", "published", 3);
            tell("dev", "t" + task, "webhook", "failed", 2);
            tell("dev", "t" + task, "zhihu", "not_configured", 1);
        }
        one.wake();
        await().atMost(30, TimeUnit.SECONDS).until(() -> count("delivered") == 120);
        assertThat(sink.deliveries())
                .hasSize(120)
                .allMatch(delivery -> delivery.isSignedBy(SECRET))
                .extracting(Delivery::id)
                .doesNotHaveDuplicates();
        for (int task = 0; task < 40; task++) {
            assertThat(sink.deliveriesTo("/t" + task))
                    .extracting(Delivery::sequence)
                    .containsExactly(1L, 2L, 3L);
        }
        assertThat(meters.counter("postonce.callback.deliveries", "outcome", "delivered")
                        .count())
                .isEqualTo(120);
        assertThat(jdbc.queryForList("select external_id from ingest.callback_lane where due_at is not null"))
                .isEmpty();
    }

    @Test
    void a_worker_killed_between_the_2xx_and_the_mark_is_followed_by_another_with_the_same_id() {
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        JdbcLanes lanes = lanes("killed");
        CallbackSender killed = (lane, callback) -> {
            sender.send(lane, callback);
            throw new IllegalStateException("the process ended here");
        };
        Lane lane = lanes.claim(10, 10, List.of()).get(0);
        assertThatThrownBy(() -> new LaneWorker(lanes, killed, schedule, meters).run(lane, () -> false))
                .isInstanceOf(IllegalStateException.class);
        assertThat(lanes.claim(10, 10, List.of())).as("leased").isEmpty();

        loop(2, 2);
        await().atMost(LEASE.multipliedBy(4)).until(() -> count("delivered") == 1);
        assertThat(sink.deliveries()).extracting(Delivery::id).hasSize(2).containsOnly(idOf("a", "wordpress", 1));
        assertThat(row("a")).containsEntry("attempts", 2);
    }

    @Test
    void a_worker_that_comes_late_writes_nothing() {
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        JdbcLanes late = lanes("late");
        Lane old = late.claim(10, 10, List.of()).get(0);
        DueCallback callback = late.begin(old).orElseThrow();
        jdbc.update("update ingest.callback_lane set leased_until = now()");
        Lane taken = lanes("next").claim(10, 10, List.of()).get(0);
        assertThat(taken.token()).isGreaterThan(old.token());

        DeliveryOutcome failed = new DeliveryOutcome.Failed("timeout", null, null);
        assertThat(late.finish(old, callback, failed, null, true)).isEqualTo(JdbcLanes.Step.FENCED);
        assertThat(late.begin(old)).isEmpty();
        assertThat(late.giveBack(old)).isEqualTo(JdbcLanes.Step.FENCED);
        assertThat(row("a")).containsEntry("state", "pending");
    }

    @Test
    void no_lock_is_held_while_a_request_is_on_its_way() throws Exception {
        CountDownLatch end = new CountDownLatch(1);
        CountDownLatch arrived = new CountDownLatch(1);
        sink.answers((exchange, nth) -> {
            arrived.countDown();
            CallbackSink.hang(end).to(exchange, nth);
        });
        tasks.task("dev", "a", sink.url("/a"));
        tell("dev", "a", "wordpress", "published", 1);
        loop(2, 2);
        assertThat(arrived.await(10, TimeUnit.SECONDS)).isTrue();
        jdbc.execute("set statement_timeout = '200ms'; select 1 from ingest.callback_lane for update nowait;"
                + " select 1 from ingest.task for update nowait; reset statement_timeout");
        tell("dev", "a", "webhook", "published", 1);
        assertThat(pool.getHikariPoolMXBean().getActiveConnections()).isZero();
        end.countDown();
    }

    @Test
    void a_tenant_whose_endpoint_hangs_does_not_hold_up_another() {
        CountDownLatch end = new CountDownLatch(1);
        sink.answers((exchange, nth) -> {
            if (exchange.getRequestURI().getPath().startsWith("/slow")) {
                CallbackSink.hang(end).to(exchange, nth);
            } else {
                exchange.sendResponseHeaders(200, -1);
            }
        });
        for (int i = 0; i < 30; i++) {
            tasks.task("mall", "slow" + i, sink.url("/slow" + i));
            tell("mall", "slow" + i, "wordpress", "published", 1);
        }
        DeliveryLoop loop = loop(4, 2);
        await().until(() -> sink.deliveries().size() >= 2);
        tasks.task("dev", "quick", sink.url("/quick"));
        tell("dev", "quick", "wordpress", "published", 1);
        loop.wake();
        // Long before the 30 slow ones could have timed out.
        await().atMost(3, TimeUnit.SECONDS)
                .until(() -> !sink.deliveriesTo("/quick").isEmpty());
        end.countDown();
    }

    @Test
    void many_appends_at_once_to_one_task_get_rising_sequences() throws Exception {
        tasks.task("dev", "a", sink.url("/a"));
        ExecutorService threads = Executors.newFixedThreadPool(12);
        List<Future<?>> appends = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            String platform = "p" + i;
            appends.add(threads.submit(() -> tell("dev", "a", platform, "published", 1)));
        }
        loop(4, 4).wake();
        for (Future<?> append : appends) {
            append.get(20, TimeUnit.SECONDS);
        }
        threads.shutdown();
        await().atMost(20, TimeUnit.SECONDS).until(() -> count("delivered") == 60);
        assertThat(sink.deliveries())
                .extracting(Delivery::sequence)
                .containsExactlyElementsOf(
                        java.util.stream.LongStream.rangeClosed(1, 60).boxed().toList());
    }
}
