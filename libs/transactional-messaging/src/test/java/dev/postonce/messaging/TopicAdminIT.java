package dev.postonce.messaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.Topics;
import dev.postonce.testinfra.TestInfra;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.Test;

/** One test, since the topics are the broker's: what it makes stays. */
class TopicAdminIT {

    @Test
    void topics_are_made_once_by_several_at_once_and_another_partition_count_is_refused() throws Exception {
        try (Admin admin =
                Admin.create(Map.of(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, TestInfra.kafkaBootstrap()))) {
            ExecutorService threads = Executors.newFixedThreadPool(3);
            List<Future<List<String>>> runs = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                runs.add(threads.submit(() -> TopicAdmin.ensureTopics(admin, (short) 1)));
            }
            List<String> created = new ArrayList<>();
            for (Future<List<String>> run : runs) {
                created.addAll(run.get(60, TimeUnit.SECONDS));
            }
            threads.shutdown();
            assertThat(created)
                    .containsExactlyInAnyOrderElementsOf(
                            Topics.all().stream().map(Topics.Spec::name).toList());
            assertThat(TopicAdmin.ensureTopics(admin, (short) 1)).isEmpty();

            ConfigResource task = new ConfigResource(ConfigResource.Type.TOPIC, Topics.TASK);
            Config config = admin.describeConfigs(List.of(task))
                    .all()
                    .get(10, TimeUnit.SECONDS)
                    .get(task);
            assertThat(config.get("cleanup.policy").value()).isEqualTo("compact");
            assertThat(config.get("min.compaction.lag.ms").value()).isEqualTo("604800000");

            admin.deleteTopics(List.of(Topics.KEY)).all().get(10, TimeUnit.SECONDS);
            createWithTwoPartitions(admin);
            assertThatThrownBy(() -> TopicAdmin.ensureTopics(admin, (short) 1))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(Topics.KEY + " has 2 partitions instead of 1");
        }
    }

    private static void createWithTwoPartitions(Admin admin) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (true) {
            try {
                admin.createTopics(List.of(new NewTopic(Topics.KEY, 2, (short) 1)))
                        .all()
                        .get(10, TimeUnit.SECONDS);
                return;
            } catch (java.util.concurrent.ExecutionException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
            }
        }
    }
}
