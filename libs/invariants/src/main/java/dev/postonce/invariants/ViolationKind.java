package dev.postonce.invariants;

import java.util.Locale;

/** In which way something is not as it must be. */
public enum ViolationKind {
    /** It must be there, and is not. */
    MISSING,
    /** It is there, and must not be. */
    EXTRA,
    /** It is there in an older state than the newest settled one. */
    STALE,
    /** It is there more than once. */
    DOUBLED,
    /** A lower version appeared after a higher one. */
    OUT_OF_ORDER,
    /** It claims what is not so. */
    UNTRUE;

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
