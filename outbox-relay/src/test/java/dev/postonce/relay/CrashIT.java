package dev.postonce.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.relay.source.SourceStatus.State;
import dev.postonce.testinfra.TestInfra;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A relay is ended between any two of its steps; the next one goes on. */
@Tag("parts")
class CrashIT {

    /** Where the process halts, and at which hit, so that some halts lie in the middle of a batch or a baseline. */
    private static final List<String> POINTS = List.of(
            "relay.after-slot-before-record=halt(137)",
            "relay.after-slot-before-first-row=halt(137)",
            "relay.after-some-acks=30*off->halt(137)",
            "relay.after-send-before-any-ack=2*off->halt(137)",
            "relay.after-acks-before-mark=halt(137)",
            "relay.after-mark-before-commit=halt(137)",
            "relay.after-ack-before-lsn-confirm=2*off->halt(137)",
            "relay.after-commit-before-next-claim=1*off->halt(137)");

    private final Map<String, Long> versions = new HashMap<>();

    @Test
    void nothing_is_lost_copies_are_exact_and_the_order_holds(@TempDir Path directory) throws Exception {
        long seed = System.nanoTime();
        System.out.println("CrashIT seed " + seed);
        Random random = new Random(seed);
        File log = directory.resolve("child.log").toFile();
        try (OutboxFixture outbox = new OutboxFixture();
                TopicReader topic = new TopicReader(outbox.topic)) {
            for (String point : POINTS) {
                write(outbox, random, 150);
                Process child = RelayChild.start(outbox, point, log);
                // Some are read from the log while it runs.
                await().pollDelay(Duration.ofMillis(10))
                        .pollInterval(Duration.ofMillis(100))
                        .atMost(Duration.ofSeconds(60))
                        .until(() -> {
                            write(outbox, random, 3);
                            return !child.isAlive();
                        });
                assertThat(child.waitFor(1, TimeUnit.SECONDS)).isTrue();
                assertThat(child.exitValue()).as(point).isEqualTo(137);
            }
            try (TestRelay relay = new TestRelay(outbox, TestInfra.kafkaBootstrap()).start()) {
                topic.awaitIds(outbox.committedIds(), 60);
                await().atMost(Duration.ofSeconds(30))
                        .until(() -> relay.status.view().state() == State.STREAMING);
            }
            assertThat(topic.ids()).hasSameElementsAs(outbox.committedIds());
            topic.assertOrder();
            System.out.println("CrashIT copies after " + POINTS.size() + " crashes: " + topic.assertCopiesAreExact()
                    + " of " + outbox.committedIds().size());
        }
    }

    private void write(OutboxFixture outbox, Random random, int rows) {
        outbox.inTransaction(tx -> {
            for (int i = 0; i < rows; i++) {
                String key = "k" + random.nextInt(40);
                tx.insert(key, versions.merge(key, 1L, Long::sum), "{\"n\":" + random.nextInt() + "}");
            }
        });
    }
}
