package dev.postonce.standalone.verify;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** When the records of each topic were made; eight bytes for each, which is little beside the facts about them. */
final class TopicTally {

    private static final int FIRST = 256;
    /** Two senders may hand over to each other; a clock that was set goes further. */
    private static final long BACK_MS_MAX = 5_000;

    private final Map<String, long[]> times = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Map<String, Long> newest = new HashMap<>();
    private boolean clockWentBack;

    void seen(String topic, int partition, long madeAtMs) {
        long before = newest.merge(topic + "-" + partition, madeAtMs, Math::max);
        clockWentBack |= madeAtMs < before - BACK_MS_MAX;
        int count = counts.merge(topic, 1, Integer::sum);
        long[] all = times.computeIfAbsent(topic, key -> new long[FIRST]);
        if (count > all.length) {
            all = Arrays.copyOf(all, all.length * 2);
            times.put(topic, all);
        }
        all[count - 1] = madeAtMs;
    }

    /** Whether somewhere a record says that it is older than the one before it: then their times tell nothing. */
    boolean clockWentBack() {
        return clockWentBack;
    }

    long since(String topic, long ms) {
        int count = counts.getOrDefault(topic, 0);
        return Arrays.stream(times.getOrDefault(topic, new long[0]), 0, count)
                .filter(at -> at >= ms)
                .count();
    }
}
