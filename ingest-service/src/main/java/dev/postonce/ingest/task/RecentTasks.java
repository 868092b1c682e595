package dev.postonce.ingest.task;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A hint that a task is likely there already, because this process answered for it not long ago: then it is cheaper to
 * ask first than to try to be the first. A wrong hint costs one question and changes no answer, so it may forget, and
 * nobody else needs to know it. Safe for use by several threads.
 */
final class RecentTasks {

    // A power of two; half a megabyte.
    private static final int PLACES = 1 << 16;

    private final AtomicLongArray seen = new AtomicLongArray(PLACES);

    void note(String tenantId, String externalId) {
        long mark = markOf(tenantId, externalId);
        seen.lazySet(placeOf(mark), mark);
    }

    boolean mayHave(String tenantId, String externalId) {
        long mark = markOf(tenantId, externalId);
        return seen.get(placeOf(mark)) == mark;
    }

    private static int placeOf(long mark) {
        return (int) (mark >>> 48);
    }

    /** Never the zero of an empty place. */
    private static long markOf(String tenantId, String externalId) {
        long hash = 31L * tenantId.hashCode();
        for (int i = 0; i < externalId.length(); i++) {
            hash = (hash ^ externalId.charAt(i)) * 0x100000001b3L;
        }
        hash ^= hash >>> 32;
        hash *= 0x9e3779b97f4a7c15L;
        return hash | 1;
    }
}
