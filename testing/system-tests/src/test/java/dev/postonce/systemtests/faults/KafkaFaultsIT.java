package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventType;
import dev.postonce.contract.Topics;
import dev.postonce.messaging.TopicAdmin;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Brokers;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.ServiceNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.GroupListing;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.quota.ClientQuotaAlteration;
import org.apache.kafka.common.quota.ClientQuotaEntity;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of Kafka that one broker can show: K1, K4, K5, K7 and K8 of docs/reliability/faults.md. */
@Tag("faults")
class KafkaFaultsIT {

    private static final double QUOTA_BYTES_PER_SECOND = 1_000;
    private static final Duration THROTTLED_WITHIN = Duration.ofSeconds(90);
    private static final Duration REFUSED_WITHIN = Duration.ofSeconds(90);
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(180);

    /** Tasks whose newest version the index does not hold, though it has long been there: else that takes a moment. */
    private static final String LATE_FOR_INDEX =
            """
            select count(*) from ingest.task t left join "index".entry e
              on e.kind = 'task' and e.record_key = t.tenant_id || ':' || t.external_id
            where e.version is distinct from t.version and t.updated_at < now() - interval '3 seconds'
            """;

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final Provocations provocations = new Provocations(cluster);

    @Test
    void k4_a_topic_that_was_deleted_and_made_anew_stops_the_relay_loudly() throws Exception {
        ServiceNode relay = cluster.service(Part.RELAY);
        new Experiment(cluster, "k4", seed).verify(List.of("k4-topic-recreated"), workload -> {
            try (Admin admin = cluster.brokers().admin()) {
                admin.deleteTopics(List.of(Topics.GROUP)).all().get();
                Experiment.pause(Duration.ofSeconds(1));
                TopicAdmin.ensureTopics(admin, (short) 1);
            }
            cluster.planted().removeIf(planted -> planted.topic().equals(Topics.GROUP));
            assertThat(Patience.until(
                            NOTICED_WITHIN, () -> relay.health().toString().contains("topic_changed")))
                    .as("the relay says so: " + relay.health())
                    .isTrue();
            Operator.rebaseline(cluster, "k4");
            return 1;
        });
    }

    @Test
    void k5_lost_offsets_bring_everything_again_and_no_second_post_or_callback() throws Exception {
        List<ServiceNode> consumers =
                List.of(cluster.service(Part.INDEX), cluster.service(Part.DISPATCHER), cluster.service(Part.INGEST));
        new Experiment(cluster, "k5", seed).verify(List.of("k5-offsets-lost"), workload -> {
            consumers.forEach(ServiceNode::killAndHold);
            long lost;
            try (Admin admin = cluster.brokers().admin()) {
                List<String> groups = new ArrayList<>(admin.listGroups().all().get().stream()
                        .map(GroupListing::groupId)
                        .filter(group -> group.startsWith("postonce"))
                        .toList());
                lost = groups.size();
                assertThat(Patience.until(NOTICED_WITHIN, () -> {
                            groups.removeIf(group -> deleted(admin, group));
                            return groups.isEmpty();
                        }))
                        .as("every group is deleted, but " + groups)
                        .isTrue();
            }
            consumers.forEach(ServiceNode::start);
            return lost;
        });
    }

    private static boolean deleted(Admin admin, String group) {
        try {
            admin.deleteConsumerGroups(List.of(group)).all().get();
            return true;
        } catch (ExecutionException e) {
            // Killed members count until their sessions end.
            return e.getCause() instanceof GroupIdNotFoundException;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void k1_k7_k8_a_broker_that_dies_or_refuses_records_that_nobody_can_read_or_take_and_quotas() throws Exception {
        List<String> faults = List.of(
                "k1-restart",
                "k1-sigkill",
                "k7-poison",
                "k8-message-too-large",
                "k8-quota",
                "k8-authentication",
                "k8-authorization");
        KafkaRefusals refusals = new KafkaRefusals(cluster);
        new Experiment(cluster, "k1", seed)
                .verify(
                        faults,
                        workload -> Experiment.positive("k8, quota", throttled())
                                + Experiment.positive("k8, authentication", refusals.unknown())
                                + Experiment.positive("k8, authorization", refusals.notAllowed())
                                + Experiment.positive("k7", poisoned())
                                + Experiment.positive("k8, too large", refused())
                                + Experiment.positive("k1", restartedAndKilled()));
    }

    private long restartedAndKilled() {
        Brokers.Broker broker = cluster.brokers().node(1);
        int starts = broker.process().starts();
        broker.stop();
        broker.start();
        cluster.brokers().awaitUp();
        Experiment.pause(Duration.ofSeconds(2));
        broker.kill();
        broker.start();
        cluster.brokers().awaitUp();
        return broker.process().starts() - starts;
    }

    /** Parked by each reader with a reason; the rest flows. */
    private long poisoned() {
        List<String> values = List.of(
                "not JSON",
                "{\"tenant_id\":\"poison\",\"version\":\"x\"}",
                "{\"tenant_id\":\"alpha\",\"external_id\":\"a-1\",\"version\":1}",
                "[".repeat(2_000),
                "x".repeat(1_400_000));
        for (EventType type : List.of(EventType.TASK_STATE, EventType.GROUP_STATE, EventType.DISPATCH_STATE)) {
            provocations.poison(type.topic(), values);
            provocations.poison(type.topic(), Collections.singletonList(null));
            provocations.poisonInside(type.topic(), type.ceType(), values);
            provocations.poisonInside(type.topic(), "dev.postonce.unknown.v9", List.of("{}"));
        }
        Experiment.pause(Duration.ofSeconds(2));
        return cluster.planted().size();
    }

    /** What Kafka does not take is parked, and others go on. */
    private long refused() throws Exception {
        long before = parked();
        limit("600");
        boolean refused = Patience.until(REFUSED_WITHIN, () -> parked() > before);
        limit(Integer.toString(Topics.MESSAGE_BYTES_MAX));
        return refused ? parked() - before : 0;
    }

    /**
     * Kafka makes a client wait for as long as what it read in the last seconds would have taken at its quota: so this
     * comes before records of a megabyte.
     *
     * @return how many tasks are late by then
     */
    private long throttled() throws Exception {
        ClientQuotaEntity everybody =
                new ClientQuotaEntity(Collections.singletonMap(ClientQuotaEntity.CLIENT_ID, null));
        try (Admin admin = cluster.brokers().admin()) {
            quota(admin, everybody, QUOTA_BYTES_PER_SECOND);
            Patience.until(THROTTLED_WITHIN, () -> lateForIndex() > 0);
            long late = lateForIndex();
            quota(admin, everybody, null);
            return late;
        }
    }

    private static void quota(Admin admin, ClientQuotaEntity entity, Double bytesPerSecond) throws Exception {
        admin.alterClientQuotas(List.of(new ClientQuotaAlteration(
                        entity,
                        List.of(
                                new ClientQuotaAlteration.Op("producer_byte_rate", bytesPerSecond),
                                new ClientQuotaAlteration.Op("consumer_byte_rate", bytesPerSecond)))))
                .all()
                .get();
    }

    private long lateForIndex() {
        return cluster.postgres().number(LATE_FOR_INDEX);
    }

    private long parked() {
        return cluster.postgres().number("select count(*) from relay.parked_event");
    }

    private void limit(String bytes) throws Exception {
        try (Admin admin = cluster.brokers().admin()) {
            admin.incrementalAlterConfigs(Map.of(
                            new ConfigResource(ConfigResource.Type.TOPIC, Topics.GROUP),
                            List.of(new AlterConfigOp(
                                    new ConfigEntry("max.message.bytes", bytes), AlterConfigOp.OpType.SET))))
                    .all()
                    .get();
        }
    }
}
