package dev.postonce.sandbox.fault;

/** What can be made to go wrong; the order is the order in which one request's faults are drawn. */
public enum FaultKind {
    /** The connection ends before the request was acted upon. */
    DROP("drop"),
    STATUS_429("status_429"),
    STATUS_5XX("status_5xx"),
    /** The request is acted upon; the connection ends without an answer. */
    SWALLOW("swallow"),
    DELAY("delay"),
    /** WordPress only, and beside any of the others: the slug counts as taken. */
    FORCE_SLUG_SUFFIX("force_slug_suffix");

    private final String key;

    FaultKind(String key) {
        this.key = key;
    }

    /** The name's stem in settings: {@code swallow} gives {@code swallow_rate} and {@code swallow_next}. */
    public String key() {
        return key;
    }
}
