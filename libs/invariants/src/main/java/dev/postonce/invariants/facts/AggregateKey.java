package dev.postonce.invariants.facts;

import java.util.Locale;

/** What the events of one record key on one topic are about. */
public record AggregateKey(Kind kind, String recordKey) {

    /** One kind of aggregate for each state topic. */
    public enum Kind {
        TASK,
        GROUP,
        TARGET,
        API_KEY
    }

    /** The part before the first colon; the whole key where there is none. */
    public String tenantId() {
        int colon = recordKey.indexOf(':');
        return colon < 0 ? recordKey : recordKey.substring(0, colon);
    }

    @Override
    public String toString() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + recordKey;
    }
}
