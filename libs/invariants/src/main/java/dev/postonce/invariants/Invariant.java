package dev.postonce.invariants;

import dev.postonce.invariants.facts.Facts;

/** One invariant as a check. Stateless; may be used by many threads. */
public interface Invariant {

    InvariantId id();

    /** Looks at every key of the facts, and says at which the invariant does not hold. */
    CheckResult check(Facts facts);
}
