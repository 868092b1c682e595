package dev.postonce.invariants;

import dev.postonce.contract.Digests;
import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetMarker;
import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.AnswerFact;
import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.AuditFact;
import dev.postonce.invariants.facts.CallbackFact;
import dev.postonce.invariants.facts.CounterFact;
import dev.postonce.invariants.facts.Coverage;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.EntryFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.FactsCollector;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.GaugeFact;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.IndexSink;
import dev.postonce.invariants.facts.OutboxFact;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.ParkedPlaceFact;
import dev.postonce.invariants.facts.PostFact;
import dev.postonce.invariants.facts.RecordFact;
import dev.postonce.invariants.facts.ResourceFact;
import dev.postonce.invariants.facts.TargetFact;
import dev.postonce.invariants.facts.TargetKey;
import dev.postonce.invariants.facts.TaskFact;
import dev.postonce.invariants.facts.TransitionFact;
import dev.postonce.invariants.facts.WantedTargetFact;
import dev.postonce.invariants.facts.Window;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A history to break. {@link #clean} is one in which two tasks of two tenants were submitted, one of them changed and
 * one with a post at each of two platforms, and a group; everything has arrived everywhere.
 */
final class History {

    static final Instant NOW = Instant.parse("2026-11-11T12:00:00Z");
    static final long OLD = NOW.minus(Duration.ofMinutes(10)).toEpochMilli();
    static final long YOUNG = NOW.minus(Duration.ofSeconds(5)).toEpochMilli();
    static final long ANCIENT = NOW.minus(Duration.ofDays(20)).toEpochMilli();
    static final String INDEX = "index.entry";
    static final String REPLICA = "replica http://127.0.0.1:8082";
    static final AggregateKey PROMO = new AggregateKey(AggregateKey.Kind.TASK, "dev:mall_promo_1111_kv_v2");
    static final AggregateKey NOTE = new AggregateKey(AggregateKey.Kind.TASK, "shop:note_1");
    static final AggregateKey GROUP = new AggregateKey(AggregateKey.Kind.GROUP, "dev:submit_index/u:some_group");
    static final TargetKey BLOG = new TargetKey("dev", "mall_promo_1111_kv_v2", "wordpress");
    static final TargetKey HOOK = new TargetKey("dev", "mall_promo_1111_kv_v2", "webhook");

    private final FactsCollector facts = new FactsCollector(1_000);
    private boolean topics = true;
    private boolean everyKey = true;
    private boolean trails;
    private Set<String> platforms = Set.of("wordpress", "webhook");
    private @Nullable String replicaTenant;
    private long offset;

    static History empty() {
        return new History();
    }

    static History clean() {
        return empty().taskRow(PROMO, 2, false, "promo-1111")
                .committed(PROMO, 1)
                .committed(PROMO, 2)
                .entries(PROMO, 2, false)
                .taskRow(NOTE, 1, false, "note-1")
                .committed(NOTE, 1)
                .entries(NOTE, 1, false)
                .groupRow(GROUP, 1)
                .committed(GROUP, 1)
                .entries(GROUP, 1, false)
                .publishedTarget(BLOG, "main")
                .publishedTarget(HOOK, "hook");
    }

    History taskRow(AggregateKey key, long version, boolean deleted, String slug) {
        facts.task(new TaskFact(
                key.tenantId(),
                id(key),
                uuid(key + "row" + slug),
                version,
                deleted,
                "blog",
                slug,
                content(key, version)));
        return this;
    }

    History groupRow(AggregateKey key, long version) {
        String[] parts = id(key).split("/", 2);
        facts.group(new GroupFact(
                key.tenantId(), parts[0], parts[1], uuid(key + "row"), version, false, content(key, version)));
        return this;
    }

    History committed(AggregateKey key, long version) {
        return outbox(key, version, OLD).onTopic(key, version);
    }

    History outbox(AggregateKey key, long version, long atMs) {
        facts.outbox(
                new OutboxFact(key, event(key, version), version, atMs, data(key, version), content(key, version)));
        return this;
    }

    History outbox(OutboxFact row) {
        facts.outbox(row);
        return this;
    }

    History onTopic(AggregateKey key, long version) {
        return onTopic(key, version, event(key, version), data(key, version), OLD);
    }

    History onTopic(AggregateKey key, long version, UUID eventId, Fingerprint data, long atMs) {
        return onTopic(new RecordFact(key, eventId, version, atMs, 0, offset++, data, key.tenantId()));
    }

    History onTopic(RecordFact topicRecord) {
        facts.topicRecord(topicRecord);
        return this;
    }

    History entries(AggregateKey key, long version, boolean deleted) {
        return entry(INDEX, key, version, deleted).entry(REPLICA, key, version, deleted);
    }

    History entry(String sink, AggregateKey key, long version, boolean deleted) {
        return entry(new EntryFact(key, sink, key.tenantId(), version, deleted, content(key, version)));
    }

    History entry(EntryFact entry) {
        facts.entry(entry);
        return this;
    }

    History parked(AggregateKey key, ParkedFact.By by, long version) {
        facts.parked(new ParkedFact(key, by, event(key, version), version, "too large"));
        return this;
    }

    History publishedTarget(TargetKey key, String account) {
        return dispatch(key, account, 3, "published", OLD)
                .board(key, "published", 3L)
                .attempt(key, "attempt 1", "done")
                .post(key, account, "12");
    }

    History dispatch(TargetKey key, @Nullable String account, long version, String state, long atMs) {
        boolean shown = state.equals("published");
        facts.dispatchTarget(new DispatchTargetFact(
                key, account, version, shown ? 2L : null, state, shown ? "12" : null, shown ? OLD : null, atMs));
        return this;
    }

    History dispatch(DispatchTargetFact row) {
        facts.dispatchTarget(row);
        return this;
    }

    History board(TargetKey key, String state, @Nullable Long dispatchVersion) {
        facts.target(new TargetFact(key, state, dispatchVersion, OLD, OLD));
        return this;
    }

    /** The trails of {@link #clean}: what was audited, answered, wanted, told, and how the targets came about. */
    History trails() {
        trails = true;
        audit(PROMO, 1, 2).audit(NOTE, 1, 1).audit(GROUP, 1, 1).answer(PROMO, uuid(PROMO + "rowpromo-1111"));
        for (TargetKey key : List.of(BLOG, HOOK)) {
            wanted(key, true).callback(key, 1, 3, "published", "delivered");
            transition(key, 2, "pending", "running").transition(key, 3, "running", "published");
        }
        return this;
    }

    History wanted(TargetKey key, boolean calledBack) {
        facts.wanted(new WantedTargetFact(key, calledBack));
        return this;
    }

    History transition(TargetKey key, long version, String from, String to) {
        facts.transition(new TransitionFact(key, version, from, to));
        return this;
    }

    History callback(TargetKey key, long sequence, long dispatchVersion, String status, String state) {
        facts.callback(new CallbackFact(key, sequence, dispatchVersion, status, 2, state, "delivered"));
        return this;
    }

    History callback(CallbackFact callback) {
        facts.callback(callback);
        return this;
    }

    History audit(AggregateKey key, long created, long newest) {
        return audit(new AuditFact(key, created, newest, newest));
    }

    History audit(AuditFact audit) {
        facts.audit(audit);
        return this;
    }

    History gauge(double told, long counted, long changedAtMs) {
        facts.gauge(new GaugeFact("http://127.0.0.1:8083", "postonce_dispatch_parked", told, counted, changedAtMs));
        return this;
    }

    History counter(double told, long atLeast, long atMost) {
        facts.counter(new CounterFact("http://127.0.0.1:8080", "created", told, atLeast, atMost));
        return this;
    }

    History held(String resource, double used, double limit) {
        facts.resource(new ResourceFact("http://127.0.0.1:8080", resource, used, limit));
        return this;
    }

    History answer(AggregateKey key, UUID resourceId) {
        facts.answer(new AnswerFact(key, resourceId));
        return this;
    }

    History kept(ParkedFact.By by, String topic, long at, String reason) {
        facts.parkedPlace(new ParkedPlaceFact(by, topic, 0, at, reason));
        return this;
    }

    History attempt(AttemptFact attempt) {
        facts.attempt(attempt);
        return this;
    }

    History withTrails() {
        trails = true;
        return this;
    }

    History attempt(TargetKey key, String name, @Nullable String settledAs) {
        facts.attempt(new AttemptFact(key, uuid(name + key), 2, OLD, settledAs));
        return this;
    }

    History post(TargetKey key, String account, String postId) {
        return post(new PostFact(key.platform(), account, postId, marker(key), 2L, true, 1));
    }

    History post(PostFact post) {
        facts.post(post);
        return this;
    }

    History undecodable(dev.postonce.invariants.facts.UndecodableFact odd) {
        facts.undecodable(odd);
        return this;
    }

    History withoutTopics() {
        topics = false;
        return this;
    }

    History withoutPosts() {
        platforms = Set.of();
        return this;
    }

    History replicaOf(String tenantId) {
        replicaTenant = tenantId;
        return this;
    }

    History someKeysOnly() {
        everyKey = false;
        return this;
    }

    CheckResult check(Invariant invariant) {
        return invariant.check(facts());
    }

    Facts facts() {
        return facts.facts(
                Window.of(NOW, Duration.ofSeconds(30)),
                new Coverage(
                        topics,
                        Set.of(new IndexSink(INDEX, null), new IndexSink(REPLICA, replicaTenant)),
                        platforms,
                        trails,
                        everyKey));
    }

    List<CheckResult> checkAll() {
        return Invariants.check(facts());
    }

    static String marker(TargetKey key) {
        return TargetMarker.of(
                key.tenantId(), key.externalId(), Platform.of(key.platform()).orElseThrow());
    }

    static UUID event(AggregateKey key, long version) {
        return uuid(key + " " + version);
    }

    static Fingerprint data(AggregateKey key, long version) {
        return print("data " + key + version);
    }

    static Fingerprint content(AggregateKey key, long version) {
        return print("content " + key + version);
    }

    static Fingerprint print(String text) {
        return Fingerprint.ofHex(Digests.sha256Hex(text));
    }

    private static String id(AggregateKey key) {
        return key.recordKey().substring(key.recordKey().indexOf(':') + 1);
    }

    static UUID uuid(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
