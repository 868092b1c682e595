package dev.postonce.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.Topics;
import dev.postonce.index.Instances.Answer;
import dev.postonce.index.Instances.Instance;
import dev.postonce.index.entry.KafkaEntryIntake;
import dev.postonce.index.event.KafkaTopics;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.replica.KafkaReplicaReader;
import dev.postonce.index.replica.Replica;
import dev.postonce.testinfra.GroupMembers;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** Whole instances on real PostgreSQL and Kafka. Each test has a tenant of its own; the order only saves starts. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class IndexConsumerIT {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    static Path home;

    static Instances world;
    static Instance first;

    @BeforeAll
    static void start() {
        world = new Instances();
        first = world.start("first", home.resolve("first"));
    }

    @AfterAll
    static void stop() {
        first.close();
        world.close();
    }

    @Test
    @Order(1)
    void without_its_topics_it_waits_says_so_and_goes_on_when_they_are_there() throws Exception {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        world.get(first, "/actuator/health", null).body().toString())
                .contains("topic postonce.", "is missing"));
        Answer health = world.get(first, "/actuator/health", null);
        assertThat(health.status()).isEqualTo(503);
        assertThat(world.get(first, "/actuator/health/readiness", null).status())
                .isEqualTo(503);
        assertThat(world.get(first, "/actuator/health/liveness", null).status()).isEqualTo(200);
        world.createTopics();
        ready(first);
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        world.get(first, "/actuator/health", null).status())
                .isEqualTo(200));
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(
                        world.jdbc.queryForList("select reason from \"index\".start_position", String.class))
                .hasSize(13)
                .containsOnly("first_start"));
    }

    @Test
    @Order(2)
    void what_is_sent_is_found_and_only_by_its_tenant() {
        String a = tenant("alpha", "read", "ops");
        String b = tenant("beta", "read", "ops");
        world.send(
                Samples.event(Samples.task("alpha", "mall_promo_1111_kv_v2", 3, "2026年双11预热 主会场")),
                Samples.event(Samples.task("beta", "theirs", 1, "双11 beta secret")),
                Samples.event(Samples.group("alpha", "u:promo_group", 1, "促销 group", false)));
        comesToFind(first, "双１１", a, "mall_promo_1111_kv_v2");
        Answer answer = world.search(first, "主会场", a);
        var hit = answer.body().path("hits").path(0);
        assertThat(hit.path("kind").asString()).isEqualTo("task");
        assertThat(hit.path("version").asLong()).isEqualTo(3);
        assertThat(hit.path("highlight").path("title").asString()).isEqualTo("2026年双11预热 <mark>主会场</mark>");
        assertThat(answer.body().path("replica").path("instance").asString()).isEqualTo("first");
        assertThat(answer.response().headers().firstValue("x-request-id")).isPresent();
        comesToFind(first, "促销", a, "u:promo_group");
        assertThat(world.found(first, "secret", a)).isEmpty();
        comesToFind(first, "双11", b, "theirs");
        same(first, "alpha", a);
        same(first, "beta", b);
    }

    @Test
    @Order(3)
    void errors_are_problems_with_a_code() {
        String reader = tenant("gamma", "read");
        String submitter = tenant("gamma2", "submit");
        problem(world.search(first, "x", Samples.token("unknown1").reveal()), 401, "unauthorized");
        problem(world.get(first, "/v1/search?q=x", null), 401, "unauthorized");
        problem(world.search(first, "x", submitter), 403, "forbidden");
        problem(world.get(first, "/v1/replica/entries", reader), 403, "forbidden");
        problem(world.get(first, "/v1/search", reader), 400, "bad_query");
        problem(world.get(first, "/v1/search?q=x&limit=0", reader), 400, "bad_query");
        problem(world.get(first, "/v1/search?q=x&cursor=AAAA", reader), 400, "bad_query");
        problem(world.get(first, "/v1/search?q=x&kind=key", reader), 400, "bad_query");
        problem(world.get(first, "/v1/nothing", reader), 404, "not_found");
        assertThat(world.get(first, "/actuator/env", null).status()).isEqualTo(404);
        assertThat(world.get(first, "/actuator/prometheus", null).response().body())
                .contains("postonce_index_events_total{", "postonce_index_version_lag_seconds{");
    }

    @Test
    @Order(4)
    void a_revoked_key_opens_nothing() {
        String token = tenant("delta", "read");
        world.send(Samples.event(Samples.key("delta", Samples.token("keyofdelta"), 2, true, "read")));
        await().atMost(PATIENCE)
                .untilAsserted(() ->
                        assertThat(world.search(first, "x", token).status()).isEqualTo(401));
    }

    @Test
    @Order(4)
    void a_removed_group_disappears_no_late_event_brings_it_back_and_its_return_does() {
        String token = tenant("groups", "read", "ops");
        EventEnvelope one = Samples.event(Samples.group("groups", "u:gone_group", 1, "夜市 group", false));
        EventEnvelope two = Samples.event(Samples.group("groups", "u:gone_group", 2, "夜市 group again", false));
        world.send(one);
        comesToFind(first, "夜市", token, "u:gone_group");

        world.send(
                Samples.event(Samples.group("groups", "u:gone_group", 3, "夜市 group again", true)),
                two,
                one,
                Samples.event(Samples.group("groups", "u:marker_group", 1, "路标", false)));
        comesToFind(first, "路标", token, "u:marker_group");
        comesToFind(first, "夜市", token);
        same(first, "groups", token);

        world.send(Samples.event(Samples.group("groups", "u:gone_group", 4, "夜市 group back", false)));
        comesToFind(first, "夜市", token, "u:gone_group");
    }

    @Test
    @Order(5)
    void poison_is_parked_and_the_partition_moves_on() {
        String token = tenant("poison", "read", "ops");
        EventEnvelope good = Samples.event(Samples.task("poison", "same-key", 1, "promo"));
        byte[] key = Samples.record(good).key();
        ProducerRecord<byte[], byte[]> headerless = Samples.record(good);
        headerless.headers().remove("ce_aggregateversion");
        world.sendRaw(List.of(
                new ProducerRecord<>(Topics.TASK, key, "not json".getBytes()),
                new ProducerRecord<>(
                        Topics.TASK,
                        null,
                        null,
                        key,
                        "not json".getBytes(),
                        Samples.record(good).headers()),
                new ProducerRecord<>(
                        Topics.TASK, null, null, key, null, Samples.record(good).headers()),
                headerless,
                Samples.record(good)));
        comesToFind(first, "promo", token, "same-key");
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(parked("poison:same-key")).isEqualTo(4));
        same(first, "poison", token);
    }

    @Test
    @Order(5)
    void after_a_clock_that_was_set_back_others_read_on_and_searches_are_answered_all_the_time() {
        String token = tenant("clocks", "read", "ops");
        world.send(Samples.event(Samples.task("clocks", "before", 1, "钟表")));
        comesToFind(first, "钟表", token, "before");
        Set<String> before = GroupMembers.of("postonce-index");
        first.bean(KafkaTopics.class).clockSetBack();
        first.bean(KafkaEntryIntake.class).clockSetBack();
        first.bean(KafkaReplicaReader.class).clockSetBack();
        world.send(Samples.event(Samples.task("clocks", "after", 1, "钟表")));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(first.bean(Replica.class).status().ready()).isTrue();
            assertThat(world.found(first, "钟表", token)).containsExactly("after", "before");
        });
        same(first, "clocks", token);
        assertThat(GroupMembers.of("postonce-index")).isNotEmpty().doesNotContainAnyElementsOf(before);
    }

    @Test
    @Order(6)
    void two_instances_share_the_writing_and_each_answers_in_full() throws Exception {
        String token = tenant("pair", "read", "ops");
        long seed = new Random().nextLong();
        System.out.println("two_instances seed " + seed);
        Random random = new Random(seed);
        List<EventEnvelope> history = new ArrayList<>();
        for (int i = 0; i < 600; i++) {
            int id = random.nextInt(40);
            boolean deleted = random.nextInt(5) == 0;
            history.add(Samples.event(Samples.task("pair", "k" + id, 1 + i, "促销 v" + i, "<p>x</p>", deleted)));
            if (random.nextInt(4) == 0) {
                history.add(history.get(random.nextInt(history.size())));
            }
        }
        world.send(history.subList(0, 200).toArray(new EventEnvelope[0]));
        try (Instance second = world.start("second", home.resolve("second"))) {
            world.send(history.subList(200, 400).toArray(new EventEnvelope[0]));
            ready(second);
            await().atMost(PATIENCE).until(() -> partitionsOwned() > 0);
            world.send(history.subList(400, history.size()).toArray(new EventEnvelope[0]));
            same(first, "pair", token);
            same(second, "pair", token);
            await().atMost(PATIENCE).until(() -> lag() == 0);
            assertThat(world.found(second, "促销", token)).isNotEmpty().isEqualTo(world.found(first, "促销", token));
        }
        world.send(Samples.event(Samples.task("pair", "after", 1, "rebalanced")));
        await().atMost(PATIENCE)
                .untilAsserted(() -> assertThat(world.entries("pair")).containsKey("task/pair:after"));
    }

    @Test
    @Order(7)
    void a_replica_from_the_middle_of_its_life_goes_on_and_a_removed_key_stays_removed() throws Exception {
        String token = tenant("crash", "read", "ops");
        for (int i = 0; i < 20; i++) {
            world.send(Samples.event(Samples.task("crash", "k" + i, 1, "促销")));
        }
        same(first, "crash", token);
        Path image = home.resolve("image");
        // What a power cut would leave: the files of a running index, with a commit older than its last documents.
        await().atMost(PATIENCE).ignoreExceptions().until(() -> Directories.copy(home.resolve("first"), image));
        world.send(
                Samples.event(Samples.task("crash", "k1", 5, "促销", "", true)),
                Samples.event(Samples.task("crash", "k1", 4, "late", "<p>x</p>", false)));
        try (Instance revived = world.start("revived", image)) {
            ready(revived);
            same(revived, "crash", token);
            world.send(Samples.event(Samples.task("crash", "k1", 3, "later still", "<p>x</p>", false)));
            world.send(Samples.event(Samples.task("crash", "last", 1, "last")));
            await().atMost(PATIENCE).untilAsserted(() -> assertThat(world.replica(revived, token))
                    .containsKey("task/crash:last"));
            assertThat(world.found(revived, "later", token)).isEmpty();
            same(revived, "crash", token);
        }
        same(first, "crash", token);
    }

    @Test
    @Order(8)
    void lost_offsets_are_an_incident_and_everything_is_read_again_to_the_same_end() throws Exception {
        String token = tenant("replay", "read", "ops");
        world.send(
                Samples.event(Samples.task("replay", "kept", 2, "kept")),
                Samples.event(Samples.task("replay", "gone", 7, "gone", "", true)),
                Samples.event(Samples.task("replay", "gone", 6, "late", "<p>x</p>", false)));
        same(first, "replay", token);
        await().atMost(PATIENCE).until(() -> lag() == 0);
        List<Map<String, Object>> before = allEntries();
        long parkedBefore = parked(null);
        first.close();
        await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            world.admin.deleteConsumerGroups(List.of("postonce-index")).all().get(5, TimeUnit.SECONDS);
            return true;
        });
        Directories.delete(home.resolve("first"));

        first = world.start("first", home.resolve("first"));
        ready(first);
        await().atMost(PATIENCE).until(() -> lag() == 0 && alarms(first, IndexMeters.Alarm.OFFSET_MISSING) > 0);
        assertThat(allEntries()).isEqualTo(before);
        assertThat(parked(null)).isEqualTo(parkedBefore);
        same(first, "replay", token);
        assertThat(world.get(first, "/actuator/health", null).body().toString()).contains("offset_missing");
        assertThat(world.jdbc.queryForObject("select sum(incidents) from \"index\".start_position", Long.class))
                .isEqualTo(13);
    }

    @Test
    @Order(9)
    void a_damaged_replica_is_filled_anew() throws Exception {
        String token = tenant("damage", "read", "ops");
        world.send(Samples.event(Samples.task("damage", "one", 1, "促销")));
        same(first, "damage", token);
        first.close();
        try (Stream<Path> files = Files.list(home.resolve("first"))) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith("_"))
                    .toList()) {
                Files.write(file, new byte[] {1, 2, 3});
            }
        }
        first = world.start("first", home.resolve("first"));
        ready(first);
        assertThat(alarms(first, IndexMeters.Alarm.REPLICA_DAMAGED)).isPositive();
        same(first, "damage", token);
        assertThat(world.found(first, "促销", token)).containsExactly("one");
    }

    private String tenant(String tenant, String... scopes) {
        var token = Samples.token("keyof" + tenant);
        world.send(Samples.event(Samples.key(tenant, token, 1, false, scopes)));
        await().atMost(PATIENCE)
                .until(() -> world.jdbc.queryForObject(
                                "select count(*) from \"index\".api_key where tenant_id = ?", Long.class, tenant)
                        == 1);
        return token.reveal();
    }

    private static void ready(Instance instance) {
        await().atMost(PATIENCE)
                .until(() -> instance.bean(Replica.class).status().ready());
        assertThat(world.get(instance, "/actuator/health/readiness", null).status())
                .isEqualTo(200);
    }

    private static void same(Instance instance, String tenant, String token) {
        await().atMost(PATIENCE).until(() -> lag() == 0);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(world.entries(tenant)).isNotEmpty();
            assertThat(world.replica(instance, token)).isEqualTo(world.entries(tenant));
        });
    }

    private static void problem(Answer answer, int status, String code) {
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body().path("error_code").asString()).isEqualTo(code);
        assertThat(answer.body().path("ok").asBoolean(true)).isFalse();
        assertThat(answer.body().path("request_id").asString()).isNotBlank();
        assertThat(answer.response().headers().firstValue("content-type").orElse(""))
                .startsWith("application/problem+json");
    }

    /** How far the shared group's offsets are from the ends. */
    private static long lag() throws Exception {
        var committed = world.admin
                .listConsumerGroupOffsets("postonce-index")
                .partitionsToOffsetAndMetadata()
                .get(10, TimeUnit.SECONDS);
        long lag = 0;
        for (var end : world.ends().entrySet()) {
            var offset = committed.get(end.getKey());
            lag += end.getValue() - (offset == null ? 0 : offset.offset());
        }
        return lag;
    }

    private static long partitionsOwned() throws Exception {
        return world
                .admin
                .describeConsumerGroups(List.of("postonce-index"))
                .all()
                .get(10, TimeUnit.SECONDS)
                .get("postonce-index")
                .members()
                .stream()
                .filter(member -> member.clientId().startsWith("second-entry"))
                .mapToLong(member -> member.assignment().topicPartitions().size())
                .sum();
    }

    private static double alarms(Instance instance, IndexMeters.Alarm alarm) {
        return instance.bean(MeterRegistry.class)
                .counter("postonce.index.alarms", "alarm", alarm.name().toLowerCase(java.util.Locale.ROOT))
                .count();
    }

    private static long parked(String recordKey) {
        Long count = world.jdbc.queryForObject(
                "select count(*) from \"index\".parked_record where record_key = ? or ?::text is null",
                Long.class,
                recordKey,
                recordKey);
        return count == null ? 0 : count;
    }

    private static List<Map<String, Object>> allEntries() {
        return world.jdbc.queryForList("select kind, record_key, tenant_id, version, deleted, content_digest, document,"
                + " updated_at from \"index\".entry order by 1, 2");
    }

    private static void comesToFind(Instance instance, String text, String token, String... ids) {
        await().atMost(PATIENCE).untilAsserted(() -> assertThat(world.found(instance, text, token))
                .containsExactly(ids));
    }
}
