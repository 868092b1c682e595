package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.dispatch.testkit.Node;
import dev.postonce.dispatch.testkit.Sandbox;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Everything at once: swallowed, late, dropped, limited and failing answers, suffixed slugs, newer versions and
 * withdrawals in the middle, and dispatchers that die and come back. However it goes, no marker has two posts, and
 * in the end each target shows what was asked for.
 */
class RandomFaultsIT {

    private static final int TASKS = 14;
    private static final String FAULTS =
            """
            {"seed":%d,"platforms":{
              "wordpress":{"swallow_rate":0.12,"delay_rate":0.05,"delay_ms":1500,"delay_when":"before","drop_rate":0.05,
                "status_429_rate":0.05,"retry_after_s":1,"status_5xx_rate":0.08,"status_5xx_when":"after",
                "force_slug_suffix_rate":0.1},
              "webhook":{"swallow_rate":0.15,"drop_rate":0.1,"status_5xx_rate":0.1,"status_429_rate":0.05,"retry_after_s":1}}}
            """;

    @Test
    void never_more_than_one_post_for_a_marker() {
        long seed = Long.getLong("postonce.test.seed", new Random().nextLong());
        System.out.println("RandomFaultsIT seed " + seed + " (-Dpostonce.test.seed=)");
        Random random = new Random(seed);
        TestDatabase database = TestInfra.newDatabase();
        Node.migrate(database);
        try (Sandbox sandbox = new Sandbox()) {
            sandbox.faults(FAULTS.formatted(seed));
            List<Node> nodes = new ArrayList<>();
            nodes.add(new Node(database, sandbox.accounts()).start());
            nodes.add(new Node(database, sandbox.accounts()).start());
            try {
                Tasks.Sample[] tasks = submitAll(nodes.get(1), random);
                for (int round = 0; round < 3; round++) {
                    awaitSome(nodes.get(0), 1 + random.nextInt(12));
                    nodes.remove(0).crash();
                    nodes.add(new Node(database, sandbox.accounts()).start());
                    change(nodes.get(0), tasks, random);
                }
                check(nodes.get(0), sandbox, tasks, seed);
            } finally {
                nodes.forEach(Node::close);
            }
        }
    }

    private static void awaitSome(Node node, int attempts) {
        long before = node.count("select count(*) from dispatch.attempt");
        Awaitility.await()
                .atMost(Duration.ofSeconds(20))
                .until(() -> node.count("select count(*) from dispatch.attempt") >= before + attempts
                        || node.count("select count(*) from dispatch.target where due_at is not null") == 0);
    }

    private static Tasks.Sample[] submitAll(Node node, Random random) {
        Tasks.Sample[] tasks = new Tasks.Sample[TASKS];
        for (int i = 0; i < TASKS; i++) {
            tasks[i] = Tasks.task("t-" + i).platforms("wordpress", "webhook");
        }
        node.submit(tasks);
        return tasks;
    }

    private static void change(Node node, Tasks.Sample[] tasks, Random random) {
        for (int i = 0; i < TASKS; i++) {
            if (random.nextInt(3) == 0) {
                Tasks.Sample next = tasks[i].version(tasks[i].version() + 1);
                tasks[i] = switch (random.nextInt(4)) {
                    case 0 -> next.status("archived");
                    case 1 -> next.status("draft");
                    default -> next.status("active").title("Title " + next.version());
                };
                node.submit(tasks[i]);
            }
        }
    }

    private static void check(Node node, Sandbox sandbox, Tasks.Sample[] tasks, long seed) {
        Awaitility.await("seed " + seed)
                .atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(250))
                .untilAsserted(() -> {
                    assertThat(node.jdbc.queryForList(
                                    "select external_id || '/' || platform || ' ' || state || ' ' || coalesce(error_code, '')"
                                            + " from dispatch.target where state not in ('published', 'withdrawn')"))
                            .isEmpty();
                    assertThat(node.count("select count(*) from dispatch.attempt where settled_at is null"))
                            .isZero();
                });
        for (Tasks.Sample task : tasks) {
            String as = "seed " + seed + ", " + task;
            String expected = task.status().equals("active") ? "published" : "withdrawn";
            for (String platform : task.platforms()) {
                assertThat(node.column("state", task.externalId(), platform))
                        .as(as)
                        .isEqualTo(expected);
            }
            List<JsonNode> posts = sandbox.posts("main", task.externalId());
            assertThat(posts).as(as).hasSizeLessThanOrEqualTo(1);
            if (expected.equals("published")) {
                assertThat(posts).as(as).singleElement().satisfies(post -> assertThat(
                                post.path("status").stringValue())
                        .isEqualTo("publish"));
            }
        }
        for (JsonNode article : sandbox.all()) {
            if (article.has("effects")) {
                assertThat(article.path("effects").intValue())
                        .as("seed %d: %s", seed, article)
                        .isLessThanOrEqualTo(1);
            }
        }
    }
}
