package dev.postonce.systemtests.planted;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.audit.Audit;
import dev.postonce.systemtests.audit.Finding;
import dev.postonce.systemtests.faults.Experiment;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.SandboxControl;
import dev.postonce.systemtests.harness.ServiceNode;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jboss.byteman.agent.Main;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Tests the tester: a bug is scripted into one service of the running pipeline, from outside, and the audit must find it.
 * What it leaves in the tables stays there, so each run looks at its own tasks only, and the last bug is the one after
 * which nothing comes to rest.
 */
@Tag("planted")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class PlantedBugsIT {

    private static final int SEEDS_MAX = 20;
    private static final Duration UP_WITHIN = Duration.ofSeconds(120);
    private static final Duration WORK = Duration.ofSeconds(4);
    private static final String NO_FAULT = "{}";

    private static Cluster cluster;

    @BeforeAll
    static void start() {
        cluster = Cluster.start(ClusterPlan.named("planted", 7));
    }

    @AfterAll
    static void end() {
        cluster.close();
    }

    @Test
    @Order(1)
    void a_connection_that_is_not_given_back() throws Exception {
        caught(
                "kept",
                Part.INGEST,
                "I14",
                NO_FAULT,
                """
                RULE one connection is kept
                CLASS com.zaxxer.hikari.pool.ProxyConnection
                METHOD close
                AT ENTRY
                IF incrementCounter("closed") == 60
                DO RETURN
                ENDRULE
                """);
    }

    @Test
    @Order(2)
    void a_counter_that_misses_what_was_accepted() throws Exception {
        caught(
                "uncounted",
                Part.INGEST,
                "I13",
                NO_FAULT,
                """
                RULE nothing is counted
                CLASS dev.postonce.ingest.web.IntakeMetrics
                METHOD answered
                AT ENTRY
                IF true
                DO RETURN
                ENDRULE
                """);
    }

    @Test
    @Order(3)
    void an_upstream_that_is_not_told() throws Exception {
        caught(
                "untold",
                Part.INGEST,
                "I9",
                NO_FAULT,
                """
                RULE nobody is told
                CLASS dev.postonce.ingest.target.TellingRules
                METHOD told
                AT ENTRY
                IF true
                DO RETURN java.util.Collections.emptyList()
                ENDRULE
                """);
    }

    @Test
    @Order(4)
    void a_retry_of_its_own_after_an_unknown_outcome() throws Exception {
        caught(
                "resent",
                Part.DISPATCHER,
                "I7",
                "{\"wordpress\":{\"swallow_rate\":0.4}}",
                """
                RULE unknown is sent again
                CLASS dev.postonce.dispatch.ledger.DoubtRules
                METHOD next
                AT ENTRY
                IF true
                DO RETURN dev.postonce.dispatch.ledger.DoubtRules$Step.RESEND
                ENDRULE
                """);
    }

    @Test
    @Order(5)
    void an_unknown_outcome_that_counts_as_published() throws Exception {
        caught(
                "believed",
                Part.DISPATCHER,
                "I8",
                "{\"wordpress\":{\"drop_rate\":0.5}}",
                """
                RULE unknown counts as published
                CLASS dev.postonce.dispatch.wordpress.WordPressConnector
                METHOD send
                AT EXIT
                IF $!.word().equals("unknown")
                DO RETURN new dev.postonce.dispatch.connector.Outcome$Published("1", null, $1.taskVersion())
                ENDRULE
                """);
    }

    @Test
    @Order(6)
    void a_copy_under_a_new_event_id() throws Exception {
        caught(
                "renamed",
                Part.RELAY,
                "I4",
                NO_FAULT,
                """
                RULE each sending has an id of its own
                CLASS dev.postonce.relay.outbox.OutboxRow
                METHOD toEnvelope
                AT EXIT
                IF true
                DO RETURN new dev.postonce.contract.EventEnvelope(java.util.UUID.randomUUID(), $!.type(), $!.source(),
                   $!.subject(), $!.time(), $!.recordKey(), $!.aggregateVersion(), $!.traceparent(), $!.data())
                ENDRULE
                """);
    }

    @Test
    @Order(7)
    void a_position_that_passes_rows_which_were_not_sent() throws Exception {
        caught(
                "passed",
                Part.RELAY,
                "I4",
                NO_FAULT,
                """
                RULE a batch is passed over
                CLASS dev.postonce.relay.publish.KafkaPublisher
                METHOD publish
                AT ENTRY
                IF incrementCounter("batches") % 3 == 0
                DO RETURN
                ENDRULE
                """);
    }

    private static void caught(String run, Part part, String rule, String platformFaults, String script)
            throws Exception {
        ServiceNode victim = cluster.service(part);
        // With an archive of classes the JVM ends when an agent is to see them.
        restart(victim, List.of("-Xshare:off", "-javaagent:" + agent() + "=script:" + write(run, script)));
        try {
            for (long seed = 1; seed <= SEEDS_MAX; seed++) {
                String name = run + seed;
                long faultSeed = seed;
                Audit.Report report = new Experiment(cluster, name, seed)
                        .tier("planted")
                        .run(List.of("bug-" + run), workload -> {
                            new SandboxControl(cluster).faults(faultSeed, platformFaults);
                            Patience.until(WORK, () -> false);
                            return 1;
                        });
                Optional<Finding> found = report.findings().stream()
                        .filter(finding -> finding.rule().equals(rule))
                        // What is said of a process is of no task, and no earlier bug lives on in a process.
                        .filter(finding -> finding.key().contains(name + "-")
                                || finding.key().contains("http://"))
                        .findFirst();
                if (found.isPresent()) {
                    System.out.println("planted: " + run + ": caught by seed " + seed + ": " + found.get());
                    return;
                }
            }
        } finally {
            restart(victim, List.of());
        }
        assertThat(SEEDS_MAX).as(run + " was not caught by so many seeds").isZero();
    }

    private static void restart(ServiceNode node, List<String> options) {
        node.stop();
        node.jvmOptions(options);
        node.start();
        node.awaitHealthy(UP_WITHIN);
    }

    private static Path write(String run, String script) throws IOException {
        Path file = cluster.home().root().toAbsolutePath().resolve(run + ".btm");
        return Files.writeString(file, script);
    }

    private static Path agent() throws URISyntaxException {
        return Path.of(
                Main.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
