package dev.postonce.invariants.facts;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetMarker;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Keeps facts in memory, grouped by key. A fact takes about 200 bytes and no body is kept, so a million tasks with
 * two targets each (some 12 million facts) need about 2.5 GB; beyond {@code factsMax} it refuses, and the reader
 * looks at a part of the keys at a time. Not for use by several threads.
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
    private final List<PostFact> posts = new ArrayList<>();
    private final List<UndecodableFact> undecodable = new ArrayList<>();

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
        aggregate(row.key()).outbox().add(row);
    }

    @Override
    public void topicRecord(RecordFact topicRecord) {
        count();
        aggregate(topicRecord.key()).records().add(topicRecord);
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
        aggregate(entry.key()).entries().add(entry);
    }

    @Override
    public void target(TargetFact target) {
        count();
        targetOf(target.key()).put(target);
    }

    @Override
    public void dispatchTarget(DispatchTargetFact target) {
        count();
        targetOf(target.key()).put(target);
    }

    @Override
    public void attempt(AttemptFact attempt) {
        count();
        targetOf(attempt.key()).attempts().add(attempt);
    }

    @Override
    public void post(PostFact post) {
        count();
        posts.add(post);
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
        return new Facts(window, coverage, tasks, groups, byAggregate, byTarget, strays, undecodable);
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
