package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.HomeLock;
import dev.postonce.standalone.process.Supervisor;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** A stack that this process started and supervises. It stops in order, also when this process is asked to end. */
final class OwnedStack extends RunningStack {

    private final Ending ending;

    private OwnedStack(StandaloneHome home, Ending ending) {
        super(home);
        this.ending = ending;
    }

    /** @throws AlreadyRunningException if somebody else holds the home */
    static OwnedStack start(
            StandaloneHome home,
            StackPorts ports,
            Collection<Instance> services,
            StartMode mode,
            Map<String, String> environment,
            Stack.Progress progress) {
        HomeLock lock = HomeLock.tryLock(home).orElseThrow(() -> new AlreadyRunningException(home));
        Supervisor supervisor = new Supervisor(home, InstantSource.system(), progress);
        // From here on whatever was started is stopped again, also when Ctrl-C comes in the middle of the start.
        Ending ending = new Ending(lock, supervisor, progress);
        try {
            new StackStarter(home, ports, Distribution.find(), supervisor, progress, environment, mode).start(services);
            return new OwnedStack(home, ending);
        } catch (RuntimeException e) {
            ending.run();
            throw e;
        }
    }

    @Override
    public boolean isOwned() {
        return true;
    }

    @Override
    public void close() {
        ending.run();
    }

    /** Services first, so that none loses what it stands on; one after the other, which two shutdown hooks would not do. */
    private static final class Ending {

        private final HomeLock lock;
        private final Supervisor supervisor;
        private final Stack.Progress progress;
        private final Thread hook = new Thread(this::stopOnce, "stop-stack");
        private boolean done;

        Ending(HomeLock lock, Supervisor supervisor, Stack.Progress progress) {
            this.lock = lock;
            this.supervisor = supervisor;
            this.progress = progress;
            Runtime.getRuntime().addShutdownHook(hook);
        }

        void run() {
            stopOnce();
            try {
                Runtime.getRuntime().removeShutdownHook(hook);
            } catch (IllegalStateException e) {
                // The JVM is ending, and the hook finds the work done.
            }
        }

        private synchronized void stopOnce() {
            if (done) {
                return;
            }
            done = true;
            progress.accept("stopping: services, then Kafka, then PostgreSQL 正在停止");
            step(supervisor::refuseMore);
            step(() -> supervisor.end(services()));
            step(() -> supervisor.end(List.of(Part.KAFKA.label())));
            step(() -> supervisor.end(List.of(Part.POSTGRES.label())));
            step(supervisor::close);
            step(lock::close);
            progress.accept("stopped 已停止");
        }

        private List<String> services() {
            return supervisor.names().stream()
                    .filter(name -> Instance.named(name)
                            .filter(service -> service.part().isService())
                            .isPresent())
                    .toList();
        }

        /** What fails to end must not keep the rest running; the next up, or down, ends it. */
        private void step(Runnable step) {
            try {
                step.run();
            } catch (RuntimeException e) {
                progress.accept("while stopping: " + e);
            }
        }
    }
}
