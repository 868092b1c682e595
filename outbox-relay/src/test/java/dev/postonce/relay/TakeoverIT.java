package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.relay.source.SourceStatus.State;
import dev.postonce.testinfra.TestInfra;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.health.contributor.Status;

/** Two relays of one source: one publishes, the other waits for its end. */
@Tag("parts")
class TakeoverIT {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    @Test
    void a_standby_takes_over_from_a_killed_and_from_a_stopped_relay(@TempDir Path directory) throws Exception {
        File log = directory.resolve("child.log").toFile();
        try (OutboxFixture outbox = new OutboxFixture();
                TopicReader topic = new TopicReader(outbox.topic)) {
            Process first = RelayChild.start(outbox, "", log);
            try (Writer writer = new Writer(outbox)) {
                await().atMost(PATIENCE)
                        .until(() -> epoch(outbox) == 1 && !topic.ids().isEmpty());
                try (TestRelay standby = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start()) {
                    await().atMost(PATIENCE).until(() -> standby.status.view().state() == State.STANDBY);
                    assertThat(standby.health().health().getStatus()).isEqualTo(Status.UP);
                    assertThat(standby.meters.get("postonce.relay.published").counters())
                            .allSatisfy(counter -> assertThat(counter.count()).isZero());

                    first.destroyForcibly().waitFor();
                    await().atMost(PATIENCE).until(() -> standby.status.view().state() == State.STREAMING);

                    // The next one comes as a standby, and its leader is stopped instead of killed: its sessions live
                    // on.
                    Process second = RelayChild.start(outbox, "", log);
                    try {
                        standby.close();
                        await().atMost(PATIENCE).until(() -> epoch(outbox) == 3);
                        writer.awaitMore(topic);
                        signal("STOP", second);
                        try (TestRelay third = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start()) {
                            await().atMost(PATIENCE)
                                    .until(() -> third.status.view().state() == State.STREAMING);
                            writer.awaitMore(topic);
                            signal("CONT", second);
                            writer.awaitMore(topic);
                            assertThat(epoch(outbox)).isEqualTo(4);
                            assertThat(third.status.view().state()).isEqualTo(State.STREAMING);
                            writer.close();
                            topic.awaitIds(outbox.committedIds(), 40);
                        }
                    } finally {
                        second.destroyForcibly().waitFor();
                    }
                }
            } finally {
                first.destroyForcibly().waitFor();
            }
            assertThat(topic.ids()).hasSameElementsAs(outbox.committedIds());
            topic.assertOrder();
            topic.assertCopiesAreExact();
        }
    }

    private static long epoch(OutboxFixture outbox) {
        return outbox.superuser.queryForObject("select coalesce(max(epoch), 0) from relay.source", Long.class);
    }

    private static void signal(String name, Process process) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** Writes versions of a few keys all the time. */
    private static final class Writer implements AutoCloseable {
        private final AtomicBoolean running = new AtomicBoolean(true);
        private final AtomicLong version = new AtomicLong();
        private final Thread thread;

        Writer(OutboxFixture outbox) {
            thread = new Thread(() -> {
                while (running.get()) {
                    long next = version.incrementAndGet();
                    for (int key = 0; key < 4; key++) {
                        outbox.insert("w" + key, next, "{\"v\":" + next + "}");
                    }
                    java.util.concurrent.locks.LockSupport.parkNanos(
                            Duration.ofMillis(20).toNanos());
                }
            });
            thread.start();
        }

        void awaitMore(TopicReader topic) {
            long target = version.get() + 3;
            await().atMost(PATIENCE)
                    .until(() -> topic.events().stream().anyMatch(event -> event.aggregateVersion() >= target));
        }

        @Override
        public void close() throws InterruptedException {
            running.set(false);
            thread.join();
        }
    }
}
