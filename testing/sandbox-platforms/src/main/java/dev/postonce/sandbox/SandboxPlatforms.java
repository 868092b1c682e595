package dev.postonce.sandbox;

import dev.postonce.sandbox.control.ControlApi;
import dev.postonce.sandbox.delivery.SignedReceiver;
import dev.postonce.sandbox.fault.FaultInjector;
import dev.postonce.sandbox.fault.FaultPlan;
import dev.postonce.sandbox.http.HttpFrame;
import dev.postonce.sandbox.http.RequestLog;
import dev.postonce.sandbox.http.Router;
import dev.postonce.sandbox.http.StandIn;
import dev.postonce.sandbox.journal.Journal;
import dev.postonce.sandbox.wordpress.WordPressStandIn;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The sandbox: stand-ins for platforms on one port, and everything they were sent in one journal. */
public final class SandboxPlatforms implements AutoCloseable {

    private final SandboxConfig config;
    private final Journal journal;
    private final RequestLog log;
    private final FaultInjector faults = new FaultInjector();
    private final List<StandIn> standIns;
    private final Router router;
    private final HttpFrame frame;
    private final CountDownLatch closing = new CountDownLatch(1);

    private SandboxPlatforms(SandboxConfig config) {
        this.config = config;
        this.journal = Journal.open(config.directory());
        this.log = new RequestLog(journal, config.clock());
        WordPressStandIn wordpress =
                new WordPressStandIn(config.users(), log, config.clock(), this::url, this::passRaceWindow);
        SignedReceiver webhook =
                new SignedReceiver("webhook", config.secrets().webhook(), log, config.clock(), this::url);
        SignedReceiver callbacks =
                new SignedReceiver("callbacks", config.secrets().callback(), log, config.clock(), this::url);
        this.standIns = List.of(wordpress, webhook, callbacks);
        ControlApi control = new ControlApi(
                wordpress, webhook, callbacks, faults, log, config.listen().allowReset() ? this::reset : null);
        this.router = new Router(standIns, faults, log, control::answer);
        this.frame = listen();
    }

    private HttpFrame listen() {
        try {
            log.replay(standIns);
            faults.set(config.faults());
            return new HttpFrame(config.listen().address(), config.listen().port(), router);
        } catch (RuntimeException e) {
            router.close();
            journal.close();
            throw e;
        }
    }

    /** Starts a sandbox; it answers when this returns. */
    public static SandboxPlatforms start(SandboxConfig config) {
        SandboxPlatforms sandbox = new SandboxPlatforms(config);
        sandbox.frame.start();
        return sandbox;
    }

    public int port() {
        return frame.port();
    }

    /** How its own links begin, without a slash at the end. */
    public String url() {
        String publicUrl = config.listen().publicUrl();
        return publicUrl == null
                ? "http://" + config.listen().address() + ":" + port()
                : publicUrl.replaceAll("/+$", "");
    }

    /** Replaces all faults, as {@code PUT /_sandbox/faults} does. */
    public void setFaults(FaultPlan plan) {
        faults.set(plan);
    }

    /** Forgets everything that was sent; for tests. */
    public void reset() {
        log.clear();
        standIns.forEach(StandIn::clear);
        faults.set(config.faults());
    }

    private void passRaceWindow() {
        try {
            if (closing.await(config.raceWindow().toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the sandbox is closing");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the sandbox is closing", e);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        frame.close();
        router.close();
        journal.close();
    }

    public static void main(String[] arguments) {
        if (List.of(arguments).contains("--help")) {
            System.out.print(Settings.USAGE);
            return;
        }
        try {
            SandboxPlatforms sandbox = start(Settings.read(System.getenv(), List.of(arguments)));
            Runtime.getRuntime().addShutdownHook(new Thread(sandbox::close, "sandbox-close"));
            System.out.println("sandbox-platforms listens on " + sandbox.url());
        } catch (IllegalArgumentException | UncheckedIOException e) {
            Throwable cause = e.getCause();
            System.err.println(
                    "sandbox-platforms: " + e.getMessage() + (cause == null ? "" : ": " + cause.getMessage()));
            System.exit(2);
        }
    }
}
