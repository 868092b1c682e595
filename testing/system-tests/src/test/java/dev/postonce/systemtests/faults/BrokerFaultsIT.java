package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Topics;
import dev.postonce.invariants.InvariantId;
import dev.postonce.invariants.ViolationKind;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.audit.Audit;
import dev.postonce.systemtests.harness.Brokers;
import dev.postonce.systemtests.harness.Brokers.Broker;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.LinkFault;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.harness.TcpProxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.ListOffsetsResult;
import org.apache.kafka.clients.admin.NewPartitionReassignment;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.ElectionType;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** What only several brokers can show: K1, K2, K3 and N4 of docs/reliability/faults.md. It has a cluster of its own. */
@Tag("faults")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class BrokerFaultsIT {

    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(180);
    private static final int PARTITIONS = 6;
    private static final int RECORDS_TO_LOSE = 3;

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster =
            SharedCluster.get(ClusterPlan.named("three", 9).withBrokers(3));
    private final Brokers brokers = cluster.brokers();

    @Test
    @Order(1)
    void k1_brokers_restart_one_after_the_other_and_the_controller_is_killed() throws Exception {
        new Experiment(cluster, "k1three", seed).verify(List.of("k1-rolling", "k1-kill-controller"), workload -> {
            Broker controller = brokers.node(controller());
            int starts = starts();
            for (Broker broker : brokers.nodes()) {
                if (broker != controller) {
                    broker.stop();
                    broker.start();
                    brokers.awaitUp();
                }
            }
            controller.kill();
            Experiment.pause(Duration.ofSeconds(4));
            controller.start();
            brokers.awaitUp();
            return starts() - starts;
        });
    }

    @Test
    @Order(2)
    void k2_with_two_of_three_brokers_down_intake_goes_on_and_the_rest_waits() throws Exception {
        new Experiment(cluster, "k2", seed).verify(List.of("k2-two-of-three-down"), workload -> {
            brokers.node(2).kill();
            brokers.node(3).kill();
            long before = tasks("k2");
            Experiment.pause(Duration.ofSeconds(5));
            assertThat(Patience.until(NOTICED_WITHIN, () -> tasks("k2") > before))
                    .as("tasks are accepted meanwhile")
                    .isTrue();
            brokers.node(2).start();
            brokers.node(3).start();
            brokers.awaitUp();
            return 2;
        });
    }

    @Test
    @Order(3)
    void n4_brokers_that_cannot_reach_each_other_take_nothing_that_could_be_lost() throws Exception {
        List<TcpProxy> links = brokers.nodes().stream().map(Broker::fromPeers).toList();
        new Experiment(cluster, "n4three", seed).verify(List.of("n4-broker-broker", "n4-brokers-apart"), workload -> {
            leadersSpread();
            long before = links.stream().mapToLong(TcpProxy::harmed).sum();
            links.get(0).fault(LinkFault.of(LinkFault.Mode.PARTITION));
            assertThat(Patience.until(NOTICED_WITHIN, () -> inSync(1)))
                    .as("the first broker's followers left the set in sync")
                    .isTrue();
            links.forEach(link -> link.fault(LinkFault.of(LinkFault.Mode.PARTITION)));
            Experiment.pause(Duration.ofSeconds(5));
            links.forEach(TcpProxy::heal);
            assertThat(Patience.until(NOTICED_WITHIN, () -> inSync(3) && !inSync(1) && !inSync(2)))
                    .as("all are in sync again")
                    .isTrue();
            return links.stream().mapToLong(TcpProxy::harmed).sum() - before;
        });
    }

    @Test
    @Order(4)
    void k3_an_unclean_election_loses_records_verify_sees_it_and_a_rebaseline_mends_it() throws Exception {
        ServiceNode relay = cluster.service(Part.RELAY);
        new Experiment(cluster, "k3", seed).verify(List.of("k3-unclean-election"), workload -> {
            onTwoBrokersWithoutSafety();
            brokers.node(2).kill();
            awaitLeaderOfAll(1);
            long kept = end();
            assertThat(Patience.until(NOTICED_WITHIN, () -> end() >= kept + RECORDS_TO_LOSE))
                    .as("records that only one broker has")
                    .isTrue();
            workload.stop();
            relay.stop();
            long acknowledged = end();
            brokers.node(1).kill();
            brokers.node(2).start();
            awaitLeaderOfAll(2);
            brokers.node(1).start();
            brokers.awaitUp();
            long lost = acknowledged - end();
            assertThat(lost).as("records lost").isPositive();
            assertThat(new Audit(cluster).verify(Duration.ZERO).violations())
                    .as("what verify finds after the loss")
                    .anyMatch(violation ->
                            violation.invariant() == InvariantId.I4 && violation.kind() == ViolationKind.MISSING);
            Operator.rebaseline(cluster, "k3");
            return lost;
        });
    }

    /** Whoever restarted leads nothing until somebody asks for it. */
    private void leadersSpread() throws Exception {
        try (Admin admin = brokers.admin()) {
            admin.electLeaders(ElectionType.PREFERRED, null).partitions().get();
        }
    }

    private int starts() {
        return brokers.nodes().stream()
                .mapToInt(broker -> broker.process().starts())
                .sum();
    }

    /** The ends of the topic's partitions, added up. */
    private long end() {
        Map<TopicPartition, OffsetSpec> newest = new HashMap<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            newest.put(new TopicPartition(Topics.GROUP, partition), OffsetSpec.latest());
        }
        try (Admin admin = brokers.admin()) {
            return admin.listOffsets(newest).all().get().values().stream()
                    .mapToLong(ListOffsetsResult.ListOffsetsResultInfo::offset)
                    .sum();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Whether some partition of a state topic has just so many replicas in sync. */
    private boolean inSync(int replicas) {
        try (Admin admin = brokers.admin()) {
            return answer(admin.describeTopics(List.of(Topics.TASK, Topics.GROUP, Topics.DISPATCH))
                            .allTopicNames())
                    .stream()
                    .flatMap(topics -> topics.values().stream())
                    .flatMap(topic -> topic.partitions().stream())
                    .anyMatch(partition -> partition.isr().size() == replicas);
        }
    }

    private long tasks(String run) {
        return cluster.postgres()
                .number("select count(*) from ingest.task where starts_with(external_id, '" + run + "-')");
    }

    private int controller() throws Exception {
        try (Admin admin = brokers.admin()) {
            return admin.describeMetadataQuorum().quorumInfo().get().leaderId();
        }
    }

    private void onTwoBrokersWithoutSafety() throws Exception {
        try (Admin admin = brokers.admin()) {
            Map<TopicPartition, Optional<NewPartitionReassignment>> moves = new HashMap<>();
            for (int partition = 0; partition < PARTITIONS; partition++) {
                moves.put(
                        new TopicPartition(Topics.GROUP, partition),
                        Optional.of(new NewPartitionReassignment(List.of(1, 2))));
            }
            admin.alterPartitionReassignments(moves).all().get();
            assertThat(Patience.until(NOTICED_WITHIN, () -> moved(admin))).isTrue();
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, Topics.GROUP),
                            List.of(set("unclean.leader.election.enable", "true"), set("min.insync.replicas", "1"))))
                    .all()
                    .get();
        }
    }

    private static AlterConfigOp set(String name, String value) {
        return new AlterConfigOp(new ConfigEntry(name, value), AlterConfigOp.OpType.SET);
    }

    private static boolean moved(Admin admin) {
        return answer(admin.listPartitionReassignments().reassignments())
                .filter(Map::isEmpty)
                .isPresent();
    }

    private void awaitLeaderOfAll(int node) {
        try (Admin admin = brokers.admin()) {
            assertThat(Patience.until(NOTICED_WITHIN, () -> leads(admin, node)))
                    .as("broker " + node + " leads every partition")
                    .isTrue();
        }
    }

    private static boolean leads(Admin admin, int node) {
        return answer(admin.describeTopics(List.of(Topics.GROUP)).allTopicNames())
                .filter(topics -> topics.get(Topics.GROUP).partitions().stream()
                        .allMatch(partition ->
                                partition.leader() != null && partition.leader().id() == node))
                .isPresent();
    }

    /** Empty while Kafka cannot tell. */
    private static <T> Optional<T> answer(KafkaFuture<T> asked) {
        try {
            return Optional.of(asked.get());
        } catch (ExecutionException e) {
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }
}
