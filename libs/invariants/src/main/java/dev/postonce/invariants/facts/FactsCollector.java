package dev.postonce.invariants.facts;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetMarker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Keeps facts in memory, grouped by key. No body is kept; a fact takes about {@value #FACT_BYTES} bytes (measured), and a
 * task with two posts has some 31 of them with its events, so 100,000 such tasks need about 680 MB. Beyond
 * {@code factsMax} it refuses, and the reader looks at a part of the keys at a time. Not for use by several threads.
 */
public final class FactsCollector implements FactSink {

    /** Bytes to reckon with for each fact. */
    public static final int FACT_BYTES = 220;

    private final long factsMax;
    private long facts;
    private final List<TaskFact> tasks = new ArrayList<>();
    private final List<GroupFact> groups = new ArrayList<>();
    private final Map<AggregateKey, AggregateFacts> byAggregate = new HashMap<>();
    private final Map<TargetKey, TargetFacts> byTarget = new HashMap<>();
    private final Map<String, String> words = new HashMap<>();
    private final List<PostFact> posts = new ArrayList<>();
    private final List<UndecodableFact> undecodable = new ArrayList<>();
    private final List<ParkedPlaceFact> parkedPlaces = new ArrayList<>();
    private final List<TransitionFact> transitions = new ArrayList<>();
    private final List<GaugeFact> gauges = new ArrayList<>();
    private final List<CounterFact> counters = new ArrayList<>();
    private final List<ResourceFact> resources = new ArrayList<>();

    public FactsCollector(long factsMax) {
        this.factsMax = factsMax;
    }

    @Override
    public void task(TaskFact task) {
        count();
        tasks.add(task);
        aggregate(task.key()).put(task);
    }

    @Override
    public void group(GroupFact group) {
        count();
        groups.add(group);
        aggregate(group.key()).put(group);
    }

    @Override
    public void outbox(OutboxFact row) {
        count();
        AggregateFacts aggregate = aggregate(row.key());
        aggregate
                .outbox()
                .add(new OutboxFact(
                        aggregate.key(), row.eventId(), row.version(), row.occurredAtMs(), row.data(), row.content()));
    }

    @Override
    public void topicRecord(RecordFact topicRecord) {
        count();
        AggregateFacts aggregate = aggregate(topicRecord.key());
        aggregate
                .records()
                .add(new RecordFact(
                        aggregate.key(),
                        topicRecord.eventId(),
                        topicRecord.version(),
                        topicRecord.occurredAtMs(),
                        topicRecord.partition(),
                        topicRecord.offset(),
                        topicRecord.data(),
                        word(topicRecord.tenantId()),
                        topicRecord.appendedAtMs()));
    }

    @Override
    public void undecodable(UndecodableFact topicRecord) {
        count();
        undecodable.add(topicRecord);
    }

    @Override
    public void parked(ParkedFact parked) {
        count();
        aggregate(parked.key()).add(parked);
    }

    @Override
    public void entry(EntryFact entry) {
        count();
        AggregateFacts aggregate = aggregate(entry.key());
        aggregate
                .entries()
                .add(new EntryFact(
                        aggregate.key(),
                        word(entry.sink()),
                        word(entry.tenantId()),
                        entry.version(),
                        entry.deleted(),
                        entry.content()));
    }

    @Override
    public void target(TargetFact target) {
        count();
        TargetFacts facts = targetOf(target.key());
        facts.put(new TargetFact(
                facts.key(),
                word(target.state()),
                target.dispatchVersion(),
                target.observedAtMs(),
                target.updatedAtMs()));
    }

    @Override
    public void dispatchTarget(DispatchTargetFact target) {
        count();
        targetOf(target.key()).put(target);
    }

    @Override
    public void attempt(AttemptFact attempt) {
        count();
        TargetFacts facts = targetOf(attempt.key());
        String settledAs = attempt.settledAs();
        facts.attempts()
                .add(new AttemptFact(
                        facts.key(),
                        attempt.attemptId(),
                        attempt.taskVersion(),
                        attempt.startedAtMs(),
                        settledAs == null ? null : word(settledAs),
                        attempt.sent()));
    }

    @Override
    public void post(PostFact post) {
        count();
        posts.add(post);
    }

    @Override
    public void wanted(WantedTargetFact wanted) {
        count();
        TargetFacts facts = targetOf(wanted.key());
        facts.put(new WantedTargetFact(facts.key(), wanted.calledBack()));
    }

    @Override
    public void transition(TransitionFact transition) {
        count();
        transitions.add(transition);
    }

    @Override
    public void callback(CallbackFact callback) {
        count();
        TargetFacts facts = targetOf(callback.key());
        String lastOutcome = callback.lastOutcome();
        facts.callbacks()
                .add(new CallbackFact(
                        facts.key(),
                        callback.sequence(),
                        callback.dispatchVersion(),
                        word(callback.status()),
                        callback.taskVersion(),
                        word(callback.state()),
                        lastOutcome == null ? null : word(lastOutcome)));
    }

    @Override
    public void audit(AuditFact audit) {
        count();
        aggregate(audit.key()).put(audit);
    }

    @Override
    public void answer(AnswerFact answer) {
        count();
        AggregateFacts aggregate = aggregate(answer.key());
        aggregate.add(new AnswerFact(aggregate.key(), answer.resourceId()));
    }

    @Override
    public void parkedPlace(ParkedPlaceFact place) {
        count();
        parkedPlaces.add(place);
    }

    @Override
    public void gauge(GaugeFact gauge) {
        count();
        gauges.add(gauge);
    }

    @Override
    public void counter(CounterFact counter) {
        count();
        counters.add(counter);
    }

    @Override
    public void resource(ResourceFact resource) {
        count();
        resources.add(resource);
    }

    /** Joins the posts with the targets by their marks. Call once, after everything was read. */
    public Facts facts(Window window, Coverage coverage) {
        Map<String, TargetFacts> byMarker = new HashMap<>();
        for (TargetFacts target : byTarget.values()) {
            TargetKey key = target.key();
            Platform.of(key.platform())
                    .ifPresent(platform ->
                            byMarker.put(TargetMarker.of(key.tenantId(), key.externalId(), platform), target));
        }
        List<PostFact> strays = new ArrayList<>();
        for (PostFact post : posts) {
            TargetFacts target = byMarker.get(post.marker());
            if (target == null) {
                strays.add(post);
            } else {
                target.posts().add(post);
            }
        }
        return new Facts(
                window,
                coverage,
                tasks,
                groups,
                byAggregate,
                byTarget,
                strays,
                undecodable,
                parkedPlaces,
                transitions,
                new ProcessFacts(gauges, counters, resources));
    }

    /** One copy of a text of which there are few: tenants, states, sinks. */
    private String word(String text) {
        return words.computeIfAbsent(text, Function.identity());
    }

    private AggregateFacts aggregate(AggregateKey key) {
        return byAggregate.computeIfAbsent(key, AggregateFacts::new);
    }

    private TargetFacts targetOf(TargetKey key) {
        return byTarget.computeIfAbsent(key, TargetFacts::new);
    }

    private void count() {
        if (++facts > factsMax) {
            throw new TooManyFactsException(factsMax);
        }
    }
}
