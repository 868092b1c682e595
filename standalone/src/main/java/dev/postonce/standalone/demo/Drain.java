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
    private static final Duration STEP = Duration.ofMillis(1000);

    /** Says where it stands when that changed, and now and then when it did not. */
    private static final int STEPS_SILENT_MAX = 20;

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
        String told = "";
        int silent = 0;
        while (System.nanoTime() - end < 0) {
            Map<String, Long> states = database.targets(accepted.externalIds());
            long published = states.getOrDefault("published", 0L);
            long indexed = database.indexed(accepted);
            long calledBack = sandbox.callbacks(accepted.externalIds()).distinct();
            onPublished.accept(published);
            if (published == targets && indexed == resources && calledBack == targets) {
                return true;
            }
            String stands = "targets " + states + ", indexed " + indexed + "/" + resources + ", called back "
                    + calledBack + "/" + targets;
            if (!stands.equals(told) || ++silent == STEPS_SILENT_MAX) {
                progress.accept(stands);
                told = stands;
                silent = 0;
            }
            Waiting.until(STEP, () -> false);
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
        return false;
    }
}
