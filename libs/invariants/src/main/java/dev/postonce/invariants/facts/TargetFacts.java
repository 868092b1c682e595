package dev.postonce.invariants.facts;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that was found about one target. */
public final class TargetFacts {

    private final TargetKey key;
    private @Nullable TargetFact shown;
    private @Nullable DispatchTargetFact dispatch;
    private final List<AttemptFact> attempts = new ArrayList<>(1);
    private final List<PostFact> posts = new ArrayList<>(1);
    private final List<CallbackFact> callbacks = new ArrayList<>(1);
    private @Nullable WantedTargetFact wanted;

    TargetFacts(TargetKey key) {
        this.key = key;
    }

    public TargetKey key() {
        return key;
    }

    /** What an upstream is told. */
    public @Nullable TargetFact shown() {
        return shown;
    }

    /** What the dispatcher knows. */
    public @Nullable DispatchTargetFact dispatch() {
        return dispatch;
    }

    public List<AttemptFact> attempts() {
        return attempts;
    }

    public List<PostFact> posts() {
        return posts;
    }

    public List<CallbackFact> callbacks() {
        return callbacks;
    }

    /** Whether its task names this platform; null if not. */
    public @Nullable WantedTargetFact wanted() {
        return wanted;
    }

    void put(WantedTargetFact row) {
        wanted = row;
    }

    void put(TargetFact row) {
        shown = row;
    }

    void put(DispatchTargetFact row) {
        dispatch = row;
    }
}
