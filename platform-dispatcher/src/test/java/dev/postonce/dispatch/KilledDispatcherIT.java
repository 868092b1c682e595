package dev.postonce.dispatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.testkit.Node;
import dev.postonce.dispatch.testkit.Sandbox;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** Real processes that are killed or stopped between two steps; another on the same host takes over. */
@EnabledOnOs(OS.LINUX)
@Tag("parts")
class KilledDispatcherIT {

    private static final int KILLED = 137;

    @TempDir
    private Path folder;

    private TestDatabase database;
    private Sandbox sandbox;
    private Process child;

    @BeforeEach
    void prepare() {
        database = TestInfra.newDatabase();
        Node.migrate(database);
        sandbox = new Sandbox();
    }

    @AfterEach
    void end() {
        if (child != null) {
            child.destroyForcibly();
        }
        sandbox.close();
    }

    /** Without Kafka: what is due lies in the database. */
    private Process start(String failPoints) throws Exception {
        Path accounts = Files.writeString(folder.resolve("accounts.json"), sandbox.accounts());
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx192m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dpostonce.failpoints=" + failPoints,
                "-Dpostonce.failpoints.log=" + folder.resolve("hits"),
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                PlatformDispatcher.class.getName());
        Map<String, String> environment = builder.environment();
        environment.put("POSTONCE_DB_URL", database.url());
        environment.put("POSTONCE_DB_PASSWORD", database.password());
        environment.put("POSTONCE_KAFKA_BOOTSTRAP", "127.0.0.1:1");
        environment.put("POSTONCE_HTTP_PORT", "0");
        environment.put("POSTONCE_LOG_FORMAT", "");
        environment.put("POSTONCE_ALLOW_LOOPBACK", "true");
        environment.put("POSTONCE_ACCOUNTS_FILE", accounts.toString());
        environment.put("POSTONCE_DISPATCH_LEASE_MS", "2400");
        environment.put("POSTONCE_DISPATCH_HEARTBEAT_MS", "300");
        // Once it wakes it may be the one that asks; it must be as patient as its heir.
        environment.put("POSTONCE_DISPATCH_STALE_MS", "1500");
        environment.put("POSTONCE_DISPATCH_SETTLING_MS", Long.toString(Node.SETTLING.toMillis()));
        environment.put("POSTONCE_DISPATCH_ASK_FIRST_MS", "200");
        environment.put("POSTONCE_DISPATCH_REASK_MS", "700");
        File log = folder.resolve("child.log").toFile();
        return builder.redirectErrorStream(true).redirectOutput(log).start();
    }

    private void runUntilKilled(String failPoint) throws Exception {
        try (Node feeder = new Node(database, sandbox.accounts())) {
            feeder.submit(Tasks.task("killed").platforms("wordpress", "webhook"));
        }
        child = start(failPoint + "=halt");
        assertThat(child.waitFor(90, TimeUnit.SECONDS)).as(log()).isTrue();
        assertThat(child.exitValue()).as(log()).isEqualTo(KILLED);
    }

    private String log() throws Exception {
        Path file = folder.resolve("child.log");
        return Files.exists(file) ? Files.readString(file) : "";
    }

    private void heirFinishes(long attemptsMax) {
        try (Node heir = new Node(database, sandbox.accounts()).start()) {
            for (String platform : List.of("wordpress", "webhook")) {
                Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> assertThat(
                                heir.state("killed", platform))
                        .isEqualTo(TargetState.PUBLISHED));
            }
            assertThat(heir.count("select count(*) from dispatch.instance where ended_how = 'process_gone'"))
                    .isEqualTo(1);
            assertThat(heir.count("select count(*) from dispatch.attempt where platform = 'wordpress'"))
                    .isLessThanOrEqualTo(attemptsMax);
        }
        assertThat(sandbox.posts("main", "killed")).hasSize(1);
        assertThat(sandbox.deliveries("hook", "killed").stream()
                        .map(delivery -> delivery.path("webhook_id").stringValue())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void killed_between_the_attempt_s_row_and_the_request() throws Exception {
        runUntilKilled("dispatch.after-attempt-row-before-http");
        heirFinishes(2);
    }

    @Test
    void killed_between_the_answer_and_its_commit() throws Exception {
        runUntilKilled("dispatch.after-2xx-before-result-commit");
        heirFinishes(2);
    }

    @Test
    void stopped_past_its_lease_it_sends_nothing_when_it_wakes() throws Exception {
        try (Node heir = new Node(database, sandbox.accounts())) {
            heir.submit(Tasks.task("stopped"));
            Path go = folder.resolve("go");
            child = start("dispatch.after-attempt-row-before-http=pause(" + go + ")");
            Awaitility.await().atMost(Duration.ofSeconds(90)).untilAsserted(() -> assertThat(
                            heir.state("stopped", "wordpress"))
                    .isEqualTo(TargetState.RUNNING));
            signal("STOP");
            heir.start();
            // It is there, so it might send; but it gives no sign of life: nobody resends.
            Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> assertThat(
                            heir.state("stopped", "wordpress"))
                    .isEqualTo(TargetState.AWAITING_OPERATOR));
            assertThat(sandbox.posts("main", "stopped")).isEmpty();
            Files.createFile(go);
            signal("CONT");
            Awaitility.await().atMost(Duration.ofSeconds(120)).untilAsserted(() -> assertThat(
                            heir.state("stopped", "wordpress"))
                    .as(log())
                    .isEqualTo(TargetState.PUBLISHED));
            assertThat(heir.jdbc.queryForList(
                            "select late_outcome from dispatch.attempt where late_at is not null", String.class))
                    .containsExactly("not_sent");
        }
        assertThat(sandbox.posts("main", "stopped")).hasSize(1);
    }

    private void signal(String name) throws Exception {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(child.pid())).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
    }
}
