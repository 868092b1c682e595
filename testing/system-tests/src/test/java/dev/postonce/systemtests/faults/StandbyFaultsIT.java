package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.invariants.InvariantId;
import dev.postonce.invariants.Violation;
import dev.postonce.invariants.ViolationKind;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.audit.Audit;
import dev.postonce.systemtests.audit.Finding;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.PostgresNode;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.workload.Workload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** P3 of docs/reliability/faults.md: the primary dies, and a standby takes its place that had everything, or not. */
@Tag("faults")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class StandbyFaultsIT {

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(180);
    private static final int CREATED = 201;
    private static final List<String> LOST = List.of("lost-1", "lost-2", "lost-3");
    private static final String OF_THE_LOST = "from ingest.target where starts_with(external_id, 'lost-')";

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final ServiceNode relay = cluster.service(Part.RELAY);
    private final PostgresNode primary = cluster.postgres();

    /** What only the topics have stays there, for whatever comes after. */
    @AfterAll
    static void nobodyElseUsesTheCluster() {
        SharedCluster.end();
    }

    @Test
    @Order(1)
    void p3_a_promoted_synchronous_standby_is_noticed_and_nothing_is_lost() throws Exception {
        primary.settings(Map.of("synchronous_standby_names", "standby"));
        PostgresNode standby = follower("standby");
        new Experiment(cluster, "p3", seed).verify(List.of("p3-failover"), workload -> {
            awaitFollows("standby", "sync_state = 'sync'");
            Experiment.pause(Duration.ofSeconds(2));
            primary.kill();
            promote(standby);
            Operator.rebaseline(cluster, "p3");
            return 1;
        });
    }

    /** What is known of the loss is what makes it one that an operator can mend. */
    @Test
    @Order(2)
    void p3_a_promoted_standby_without_the_last_commits_is_noticed_and_verify_names_what_only_kafka_has()
            throws Exception {
        PostgresNode behind = follower("behind");
        Experiment experiment =
                new Experiment(cluster, "p3behind", seed).expecting(StandbyFaultsIT::followsFromTheLoss);
        experiment.verify(List.of("p3-failover-with-loss"), workload -> {
            awaitFollows("behind", "state = 'streaming'");
            Experiment.pause(Duration.ofSeconds(2));
            // All that is lost is known by name.
            workload.stop();
            awaitFollows("behind", "replay_lsn = pg_current_wal_lsn()");
            behind.kill();
            submit(workload);
            assertThat(Patience.until(NOTICED_WITHIN, this::allLostArePublished))
                    .as("what will be lost is out")
                    .isTrue();
            primary.kill();
            behind.start();
            promote(behind);
            assertThat(behind.number("select count(*) " + OF_THE_LOST)).isZero();
            List<Violation> found = new Audit(cluster).verify(Duration.ZERO).violations();
            assertThat(LOST).allSatisfy(lost -> assertThat(found)
                    .as("what verify finds of " + lost)
                    .anyMatch(violation -> violation.invariant() == InvariantId.I4
                            && violation.kind() == ViolationKind.EXTRA
                            && violation.key().contains(lost)));
            Operator.rebaseline(cluster, "p3behind");
            // An upstream that was told yes asks again, as after every doubt.
            submit(workload);
            assertThat(Patience.until(NOTICED_WITHIN, this::allLostArePublished))
                    .as("what was lost is known again")
                    .isTrue();
            return LOST.size();
        });
    }

    /** Its events and what was told of them stay on the topics, and meters have counted it; a second post is not among that. */
    private static boolean followsFromTheLoss(Finding finding) {
        return finding.rule().equals("I13")
                || (List.of("I4", "I5", "I6").contains(finding.rule())
                        && LOST.stream().anyMatch(finding.key()::contains));
    }

    private PostgresNode follower(String name) {
        PostgresNode follower = primary.standby(name);
        follower.start();
        cluster.awaitHealthy();
        return follower;
    }

    private void awaitFollows(String follower, String condition) {
        String sql = "select count(*) from pg_stat_replication where application_name = '" + follower + "' and ";
        assertThat(Patience.until(NOTICED_WITHIN, () -> primary.number(sql + condition) == 1))
                .as(follower + " follows: " + condition)
                .isTrue();
    }

    /** The relay refuses to go on over it, and says why. */
    private void promote(PostgresNode standby) {
        standby.execute("select pg_promote(true)");
        cluster.failOver(standby);
        assertThat(Patience.until(NOTICED_WITHIN, () -> {
                    String health = relay.health().toString();
                    return health.contains("timeline_changed") || health.contains("slot_missing");
                }))
                .as("the relay notices: " + relay.health())
                .isTrue();
    }

    private static void submit(Workload workload) throws InterruptedException {
        for (String lost : LOST) {
            assertThat(workload.submit(lost)).as("the answer for " + lost).isEqualTo(CREATED);
        }
    }

    private boolean allLostArePublished() {
        return cluster.postgres().number("select count(*) " + OF_THE_LOST + " and state = 'published'")
                == 2L * LOST.size();
    }
}
