package dev.postonce.standalone.up;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.Topics;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.Stacks;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.KafkaBroker;
import dev.postonce.standalone.infra.PostgresServer;
import dev.postonce.standalone.process.HomeLock;
import dev.postonce.standalone.process.Orphans;
import dev.postonce.standalone.process.ProcessId;
import dev.postonce.standalone.process.Signals;
import dev.postonce.standalone.process.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PostgreSQL and Kafka together under one home: one holder, crashes, and orphans. */
class InfrastructureIT {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private StandaloneHome home;
    private StackPorts ports;

    @BeforeEach
    void begin() {
        home = new StandaloneHome(directory);
        ports = StackPorts.free();
    }

    @AfterEach
    void end() throws Exception {
        for (AutoCloseable stack : opened) {
            stack.close();
        }
        Orphans.endAll(home);
        PostgresServer.endOrphans(home);
    }

    @Test
    void what_a_killed_supervisor_left_running_is_ended_and_its_data_kept() throws Exception {
        Process up = upInAnotherJvm();
        assertThat(Waiting.until(PATIENCE, () -> ProcessId.load(home.run().resolve("ready.pid"))
                        .filter(ready -> ready.pid() == up.pid())
                        .isPresent()))
                .isTrue();
        String cluster = clusterId(home.ports());
        long broker = Orphans.find(home, "kafka").get(0);
        Signals.kill(up.pid());
        assertThat(Orphans.find(home, "kafka")).as("the broker lives on").containsExactly(broker);

        Stack stack = start();

        assertThat(told).anyMatch(line -> line.contains("ended kafka (pid " + broker + ")"));
        assertThat(Orphans.find(home, "kafka")).hasSize(1).doesNotContain(broker);
        assertThat(clusterId(ports)).isEqualTo(cluster);
        assertThat(stack.isOwned()).isTrue();
    }

    @Test
    void of_several_starts_at_once_one_wins_and_the_others_say_who() throws Exception {
        List<CompletableFuture<Stack>> starts = Stream.generate(() -> CompletableFuture.supplyAsync(this::start))
                .limit(4)
                .toList();
        CompletableFuture.allOf(starts.toArray(CompletableFuture[]::new))
                .exceptionally(e -> null)
                .get(120, TimeUnit.SECONDS);

        assertThat(starts.stream().filter(start -> !start.isCompletedExceptionally()))
                .hasSize(1);
        assertThatThrownBy(this::start)
                .isInstanceOf(AlreadyRunningException.class)
                .hasMessageContaining(
                        "held by process " + ProcessHandle.current().pid());
        assertThat(Orphans.find(home, "kafka")).hasSize(1);

        Stack attached = Stacks.attach(home);
        assertThat(attached.isOwned()).isFalse();
        attached.close(); // stops nothing
        assertThat(Stacks.isRunning(home)).isTrue();
        a_broker_that_is_killed_comes_back_with_its_topics(attached);
    }

    private void a_broker_that_is_killed_comes_back_with_its_topics(Stack stack) throws Exception {
        String cluster = clusterId(ports);

        stack.kill(Part.KAFKA);

        assertThat(Waiting.until(PATIENCE, () -> stack.restarts(Part.KAFKA) == 1 && stack.isHealthy(Part.KAFKA)))
                .isTrue();
        assertThat(clusterId(ports)).isEqualTo(cluster);
        try (Admin admin = KafkaBroker.admin(ports)) {
            assertThat(admin.listTopics().names().get(30, TimeUnit.SECONDS)).contains(Topics.TASK, Topics.DISPATCH);
        }
    }

    @Test
    void a_port_that_somebody_uses_is_named_before_anything_starts() throws IOException {
        try (ServerSocket taken = new ServerSocket(ports.of(Part.KAFKA), 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(this::start)
                    .isInstanceOf(StartFailedException.class)
                    .hasMessageContaining("port " + taken.getLocalPort() + " (kafka)");
        }
        assertThat(HomeLock.holder(home)).isEmpty();
        assertThat(home.postgresData()).doesNotExist();
    }

    private Stack start() {
        OwnedStack stack = OwnedStack.start(home, ports, List.of(), StartMode.USE, Map.of(), told::add);
        opened.add(stack);
        stack.awaitHealthy(PATIENCE);
        return stack;
    }

    private Process upInAnotherJvm() throws IOException {
        PrivateFiles.directory(home.root());
        Process process = new ProcessBuilder(
                        JavaCommand.java().toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.postonce.standalone.Postonce",
                        "up",
                        "--infra",
                        "--home=" + home.root(),
                        "--port-base=auto")
                .redirectErrorStream(true)
                .redirectOutput(home.root().resolve("up.out").toFile())
                .start();
        opened.add(process::destroyForcibly);
        return process;
    }

    private static String clusterId(StackPorts ports) throws Exception {
        try (Admin admin = KafkaBroker.admin(ports)) {
            return admin.describeCluster().clusterId().get(30, TimeUnit.SECONDS);
        }
    }
}
