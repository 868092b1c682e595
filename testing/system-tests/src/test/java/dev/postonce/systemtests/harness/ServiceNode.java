package dev.postonce.systemtests.harness;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;

/** One service process. While it is wanted, its cluster starts it again whenever it has died, with nothing armed. */
public final class ServiceNode {

    private static final Duration ASK_TIMEOUT = Duration.ofSeconds(3);
    private static final HttpClient HTTP = HttpClient.newBuilder()
            .connectTimeout(ASK_TIMEOUT)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private final Instance instance;
    private final int port;
    private final ManagedProcess process;
    private final FailPointControl failPoints;
    private final Supplier<List<String>> command;
    private final Map<String, String> environment = new HashMap<>();
    private final List<String> extraOptions = new ArrayList<>();
    private final List<String> launcher = new ArrayList<>();
    private final Path directory;
    private volatile boolean wanted;
    private String armedNext = "";

    ServiceNode(
            Instance instance,
            int port,
            Path directory,
            Supplier<List<String>> command,
            Map<String, String> environment) {
        this.instance = instance;
        this.port = port;
        this.directory = directory;
        this.process = new ManagedProcess(instance.name(), directory.resolve("logs/" + instance.name() + ".log"));
        this.failPoints = new FailPointControl(directory, instance.name());
        this.command = command;
        this.environment.putAll(environment);
    }

    public String name() {
        return instance.name();
    }

    public Part part() {
        return instance.part();
    }

    public ManagedProcess process() {
        return process;
    }

    public FailPointControl failPoints() {
        return failPoints;
    }

    public String url() {
        return "http://127.0.0.1:" + port;
    }

    /** From the next start on; null takes the variable away. */
    public synchronized void environment(String name, String value) {
        if (value == null) {
            environment.remove(name);
        } else {
            environment.put(name, value);
        }
    }

    /** More options of its JVM, from the next start on. */
    public synchronized void jvmOptions(List<String> options) {
        extraOptions.clear();
        extraOptions.addAll(options);
    }

    /** What runs its JVM, such as prlimit; from the next start on. */
    public synchronized void launcher(List<String> command) {
        launcher.clear();
        launcher.addAll(command);
    }

    /** Starts it, unless it runs, and keeps it running. */
    public synchronized void start() {
        wanted = true;
        startAgainIfDead();
    }

    /** Starts it with points armed from its first step on; nothing is armed when it is started again. */
    public synchronized void startArmed(String actions) {
        wanted = true;
        launch(actions);
    }

    /** When it dies and is started again, that start has these points armed; the next one has none. */
    public synchronized void armWhenItDies(String actions) {
        armedNext = actions;
    }

    /** In order, and keeps it down. */
    public synchronized void stop() {
        wanted = false;
        process.stop("TERM");
    }

    /** SIGKILL, and keeps it down. */
    public synchronized void killAndHold() {
        wanted = false;
        process.kill();
    }

    /** SIGKILL; it is started again. */
    public void kill() {
        process.kill();
    }

    /** In order, and started again at once. */
    public void restart() {
        stop();
        start();
    }

    public boolean isWanted() {
        return wanted;
    }

    synchronized void startAgainIfDead() {
        if (wanted && !process.isAlive()) {
            // A point that halts would halt the next process too.
            String armed = armedNext;
            armedNext = "";
            launch(armed);
        }
    }

    private void launch(String armed) {
        failPoints.arm(armed);
        List<String> whole = new ArrayList<>(launcher);
        List<String> java = command.get();
        whole.add(java.get(0));
        // Later options win.
        int jar = java.indexOf("-jar");
        whole.addAll(java.subList(1, jar));
        whole.addAll(extraOptions);
        whole.addAll(java.subList(jar, java.size()));
        process.start(whole, environment, directory);
    }

    /** What its health says; missing while it does not answer. */
    public JsonNode health() {
        return get(part() == Part.SANDBOX ? "/_sandbox/health" : "/actuator/health");
    }

    public boolean isHealthy() {
        return health().path("status").asString("").equals("UP");
    }

    public void awaitHealthy(Duration timeout) {
        if (!Patience.until(timeout, () -> isHealthy())) {
            throw new IllegalStateException(
                    name() + " is not healthy after " + timeout + ": " + health() + "; see " + process.log());
        }
    }

    private JsonNode get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url() + path))
                .timeout(ASK_TIMEOUT)
                .build();
        try {
            return EventJson.mapper()
                    .readTree(HTTP.send(request, HttpResponse.BodyHandlers.ofString())
                            .body());
        } catch (IOException | tools.jackson.core.JacksonException e) {
            return EventJson.mapper().createObjectNode();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return EventJson.mapper().createObjectNode();
        }
    }
}
