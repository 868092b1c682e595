package dev.postonce.standalone.demo;

import dev.postonce.standalone.process.Waiting;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Waits, for a bounded time, until everything that was accepted is posted, indexed and called back. */
final class Drain {

    private static final Duration LIMIT = Duration.ofSeconds(120);
    private static final Duration STEP = Duration.ofMillis(500);
    private static final int STEPS_A_LINE = 6;

    private final JdbcDemo database;
    private final Sandbox sandbox;
    private final Accepted accepted;
    private final Consumer<String> progress;

    Drain(JdbcDemo database, Sandbox sandbox, Accepted accepted, Consumer<String> progress) {
        this.database = database;
        this.sandbox = sandbox;
        this.accepted = accepted;
        this.progress = progress;
    }

    /**
     * @param onPublished is told how many targets are published, again and again
     * @return whether all came through in time; the report then tells what did not
     */
    boolean await(LongConsumer onPublished) throws InterruptedException, SQLException {
        int targets = accepted.externalIds().size() * Sample.PLATFORMS.size();
        int resources = accepted.externalIds().size() + accepted.groupIds().size();
        long end = System.nanoTime() + LIMIT.toNanos();
        for (int step = 0; System.nanoTime() - end < 0; step++) {
            Map<String, Long> states = database.targets(accepted.externalIds());
            long published = states.getOrDefault("published", 0L);
            long indexed = database.indexed(accepted);
            long calledBack = sandbox.callbacks(accepted.externalIds()).distinct();
            onPublished.accept(published);
            if (published == targets && indexed == resources && calledBack == targets) {
                return true;
            }
            if (step % STEPS_A_LINE == 0) {
                progress.accept("targets " + states + ", indexed " + indexed + "/" + resources + ", called back "
                        + calledBack + "/" + targets);
            }
            Waiting.until(STEP, () -> false);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return false;
    }
}
