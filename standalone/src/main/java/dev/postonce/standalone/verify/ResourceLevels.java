package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.FactSink;
import dev.postonce.invariants.facts.ResourceFact;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What each process held when it was first looked at with nothing to do. Only who knows that nothing is to be done can
 * compare: a system at work holds what it works with.
 */
public final class ResourceLevels {

    private static final double SHARE_MAX = 1.1;
    /** Pools that fill up with their first work, and the segments of an index. */
    private static final double MORE_MAX = 100;

    private final boolean allIsQuiet;
    private final Map<String, Double> first = new ConcurrentHashMap<>();

    private ResourceLevels(boolean allIsQuiet) {
        this.allIsQuiet = allIsQuiet;
    }

    /** Of a system that may be at work. */
    public static ResourceLevels none() {
        return new ResourceLevels(false);
    }

    /** To be kept over several verifications of a system that nobody uses during any of them. */
    public static ResourceLevels whenQuiet() {
        return new ResourceLevels(true);
    }

    boolean allIsQuiet() {
        return allIsQuiet;
    }

    void compare(Meters meters, String name, String resource, FactSink sink) {
        double now = meters.sum(name);
        double before = first.computeIfAbsent(meters.url() + " " + meters.startedAtMs() + " " + name, key -> now);
        sink.resource(new ResourceFact(
                meters.url(), resource + " beside those of the first look", now, before * SHARE_MAX + MORE_MAX));
    }
}
