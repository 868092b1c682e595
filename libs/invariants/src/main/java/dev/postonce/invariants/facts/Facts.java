package dev.postonce.invariants.facts;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Everything that was read, by key.
 *
 * @param tasks every row, also a second one of the same identity
 * @param groups likewise
 * @param strayPosts posts whose mark belongs to no target that was read
 * @param undecodable records of the state topics that are no events
 * @param parkedPlaces records that services kept rather than processed
 * @param transitions changes of state that targets made, each different one
 * @param processes what the processes tell of themselves
 */
public record Facts(
        Window window,
        Coverage coverage,
        List<TaskFact> tasks,
        List<GroupFact> groups,
        Map<AggregateKey, AggregateFacts> byAggregate,
        Map<TargetKey, TargetFacts> byTarget,
        List<PostFact> strayPosts,
        List<UndecodableFact> undecodable,
        List<ParkedPlaceFact> parkedPlaces,
        List<TransitionFact> transitions,
        ProcessFacts processes) {

    public Collection<AggregateFacts> aggregates() {
        return byAggregate.values();
    }

    public Collection<TargetFacts> targets() {
        return byTarget.values();
    }

    public @Nullable AggregateFacts of(AggregateKey key) {
        return byAggregate.get(key);
    }
}
