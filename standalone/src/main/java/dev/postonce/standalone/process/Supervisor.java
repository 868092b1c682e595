package dev.postonce.standalone.process;

import dev.postonce.standalone.StandaloneHome;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Keeps all children of a home running until it is closed; needs the home's lock. */
public final class Supervisor implements AutoCloseable {

    private static final long TICK_MS = 100;
    private static final int THREADS = 3;

    private final StandaloneHome home;
    private final InstantSource clock;
    private final Consumer<String> tell;
    private final Instant startedAt;
    private final Map<String, Keeper> keepers = new ConcurrentHashMap<>();
    private final ScheduledExecutorService scheduler = Executors.newScheduledThreadPool(THREADS, runnable -> {
        Thread thread = new Thread(runnable, "supervisor");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable SupervisorRecord written;
    private volatile boolean ending;

    public Supervisor(StandaloneHome home, InstantSource clock, Consumer<String> tell) {
        this.home = home;
        this.clock = clock;
        this.tell = tell;
        this.startedAt = clock.instant();
        scheduler.scheduleWithFixedDelay(this::guardedRecord, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /** Starts it, and from then on keeps it running. */
    public synchronized void keep(Child child) {
        if (ending) {
            throw new IllegalStateException("stopping: " + child.name() + " is not started any more");
        }
        Keeper keeper = new Keeper(child, home, RestartPolicy.STANDARD, clock, tell);
        if (keepers.putIfAbsent(child.name(), keeper) != null) {
            throw new IllegalArgumentException(child.name() + " is kept already");
        }
        keeper.startFirst();
        scheduler.scheduleWithFixedDelay(
                () -> guarded(child.name(), keeper::tick), TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        record();
    }

    /** From now on nothing new is started; what is starting at this moment is known when this returns. */
    public void refuseMore() {
        ending = true;
        synchronized (this) {
            scheduler.shutdown();
        }
    }

    /** Ends these for good, all at once, and returns when they are gone. */
    public void end(Collection<String> names) {
        List<CompletableFuture<Void>> ending = names.stream()
                .map(keepers::get)
                .filter(keeper -> keeper != null)
                .map(keeper ->
                        CompletableFuture.runAsync(() -> guarded("a part", keeper::end), Supervisor::onNewThread))
                .toList();
        ending.forEach(CompletableFuture::join);
    }

    public List<String> names() {
        return List.copyOf(keepers.keySet());
    }

    public int restarts(String name) {
        Keeper keeper = keepers.get(name);
        return keeper == null ? 0 : keeper.status().restarts();
    }

    @Override
    public void close() {
        refuseMore();
        end(List.copyOf(keepers.keySet()));
    }

    private static void onNewThread(Runnable runnable) {
        new Thread(runnable, "supervisor-end").start();
    }

    /** One tick that fails must not end the ticking. */
    private void guarded(String what, Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            tell.accept(what + ": " + e.getMessage());
        }
    }

    private void guardedRecord() {
        guarded("the record in run/supervisor.json", this::record);
    }

    private synchronized void record() {
        List<ChildStatus> parts = keepers.values().stream().map(Keeper::status).toList();
        SupervisorRecord now = new SupervisorRecord(ProcessHandle.current().pid(), startedAt, parts);
        if (!now.equals(written)) {
            now.save(home);
            written = now;
        }
    }
}
