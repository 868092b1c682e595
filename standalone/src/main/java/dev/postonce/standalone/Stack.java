package dev.postonce.standalone;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * A stack that runs: started by this process, or by an {@code up} elsewhere. What is asked of a part is asked of its
 * supervisor, so both behave alike.
 *
 * <pre>{@code
 * try (Stack stack = Stacks.startOrAttach(home, System.out::println)) {
 *     stack.kill(Part.DISPATCHER);                       // SIGKILL; its supervisor starts it again
 *     stack.awaitHealthy(Duration.ofSeconds(60));
 * }
 * }</pre>
 */
public interface Stack extends AutoCloseable {

    StandaloneHome home();

    StackPorts ports();

    DevKeys devKeys();

    /** True if this process started it, and {@link #close} will stop it. */
    boolean isOwned();

    /**
     * Ends a part with SIGKILL, as a crash would; its supervisor starts it again. Returns when the process is gone.
     *
     * @return the pid that was killed
     */
    long kill(Part part);

    /** Ends a part in order, and keeps it down until {@link #start}. Returns when the process is gone. */
    void stop(Part part);

    /** Starts what {@link #stop} ended; does not wait until it is healthy. */
    void start(Part part);

    /** How often the supervisor had to start this part again. */
    int restarts(Part part);

    boolean isHealthy(Part part);

    /** @throws IllegalStateException naming what is not healthy, and why, once the time is over */
    void awaitHealthy(Duration timeout);

    /** Stops the whole if this process started it, in order: services, Kafka, PostgreSQL; else does nothing. */
    @Override
    void close();

    /** Where progress goes, a line at a time. */
    interface Progress extends Consumer<String> {}
}
