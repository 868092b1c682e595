package dev.postonce.contract;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The states of one post at one platform. The database stores the wire name; the transitions are the whole truth. */
public enum TargetState {
    /** Accepted; no dispatcher has it yet. */
    PENDING(false),
    /** Not due yet: {@code publish_at}, a rate limit, a retry's delay, or a URL that is not public yet. */
    WAITING(false),
    /** An attempt is committed and on its way. */
    RUNNING(false),
    /** An attempt ended without an outcome; it is looked up, or parked. Never resent blindly. */
    IN_DOUBT(false),
    /** Nobody but a person can tell what happened. */
    AWAITING_OPERATOR(true),
    /** No account or credential for this platform; goes on when one is configured. */
    NOT_CONFIGURED(true),
    /** Its existence at the platform was confirmed. */
    PUBLISHED(true),
    /** Handed to a search engine, which promises nothing. */
    SUBMITTED(true),
    /** Published in an older version; the platform cannot change it. */
    UPDATE_UNSUPPORTED(true),
    /** Refused by the platform, or its absence proved. */
    FAILED(true),
    /** Taken back at the platform. */
    WITHDRAWN(true),
    /** Held by an operator before it started. */
    PAUSED(false);

    private final boolean callsBack;

    TargetState(boolean callsBack) {
        this.callsBack = callsBack;
    }

    /** Whether the upstream is told. Every such state rests until a person, a new version or a new setting moves it. */
    public boolean callsBack() {
        return callsBack;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<TargetState> of(String wireName) {
        for (TargetState state : values()) {
            if (state.wireName().equals(wireName)) {
                return Optional.of(state);
            }
        }
        return Optional.empty();
    }

    /** The states that this one may change into. */
    public Set<TargetState> successors() {
        return switch (this) {
            case PENDING -> Set.of(WAITING, RUNNING, NOT_CONFIGURED, FAILED, WITHDRAWN, PAUSED);
            case WAITING -> Set.of(PENDING, RUNNING, NOT_CONFIGURED, FAILED, WITHDRAWN, PAUSED);
            case RUNNING -> Set.of(PUBLISHED, SUBMITTED, FAILED, WAITING, IN_DOUBT, WITHDRAWN, UPDATE_UNSUPPORTED);
            case IN_DOUBT -> Set.of(PUBLISHED, SUBMITTED, FAILED, WAITING, AWAITING_OPERATOR, WITHDRAWN, RUNNING);
            case AWAITING_OPERATOR -> Set.of(PUBLISHED, FAILED, PENDING, WITHDRAWN);
            case NOT_CONFIGURED -> Set.of(PENDING, WITHDRAWN);
            case PUBLISHED -> Set.of(PENDING, WAITING, UPDATE_UNSUPPORTED, WITHDRAWN);
            case SUBMITTED -> Set.of(PENDING, WAITING);
            case UPDATE_UNSUPPORTED -> Set.of(PENDING, WITHDRAWN);
            case FAILED -> Set.of(PENDING, WITHDRAWN);
            case WITHDRAWN -> Set.of(PENDING);
            case PAUSED -> Set.of(PENDING, WAITING, WITHDRAWN);
        };
    }

    public boolean mayBecome(TargetState next) {
        return successors().contains(next);
    }
}
