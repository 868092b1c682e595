package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.AggregateKey;

/** Which keys to look at: those whose aggregate id (external id, group, target) begins so; empty means all. */
record KeyFilter(String prefix) {

    boolean takesAll() {
        return prefix.isEmpty();
    }

    boolean takes(AggregateKey key) {
        int colon = key.recordKey().indexOf(':');
        return key.recordKey().startsWith(prefix, colon + 1);
    }
}
