package dev.postonce.dispatch.target;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.TargetState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The changes of one target within one transaction, and the events that tell of them. The state changes here and
 * nowhere else. Not for several threads.
 */
public final class TargetChange {

    private final Instant now;
    private final List<DispatchState> events = new ArrayList<>();
    private Target target;

    private TargetChange(Target target, Instant now) {
        this.target = target;
        this.now = now;
    }

    public static TargetChange of(Target target, Instant now) {
        return new TargetChange(target, now);
    }

    /** A target that no dispatcher knew; {@code target.version()} is 0. It begins in one of four states. */
    public static TargetChange first(Target target, Instant now) {
        switch (target.state()) {
            case PENDING, WAITING, NOT_CONFIGURED, WITHDRAWN -> {}
            default -> throw new IllegalStateException(target.id() + " cannot begin as " + target.state());
        }
        TargetChange change = new TargetChange(target, now);
        change.tell(UnaryOperator.identity());
        return change;
    }

    /**
     * Moves to a state, in one step or, where the table asks for it, by way of {@code pending}; each step is an
     * event.
     *
     * @param with what changes together with the state
     * @throws IllegalStateException if the table knows no such way; the transaction must not commit
     */
    public TargetChange to(TargetState next, UnaryOperator<Target> with) {
        TargetState from = target.state();
        if (from == next) {
            tell(with);
        } else if (from.mayBecome(next)) {
            tell(current -> with.apply(current).withState(next));
        } else if (from.mayBecome(TargetState.PENDING) && TargetState.PENDING.mayBecome(next)) {
            tell(current -> current.withState(TargetState.PENDING));
            tell(current -> with.apply(current).withState(next));
        } else {
            throw new IllegalStateException(target.id() + " cannot change from " + from + " to " + next
                    + "; nothing is written, and the target is tried again when its lease ends");
        }
        return this;
    }

    /** What upstreams can see changes, the state does not. */
    public TargetChange tell(UnaryOperator<Target> with) {
        target = with.apply(target).withVersion(target.version() + 1);
        events.add(target.toEvent(now));
        return this;
    }

    /** Only what concerns the dispatcher itself changes; no event. */
    public TargetChange quietly(UnaryOperator<Target> with) {
        target = with.apply(target);
        return this;
    }

    public Target target() {
        return target;
    }

    public Instant now() {
        return now;
    }

    public List<DispatchState> events() {
        return List.copyOf(events);
    }
}
