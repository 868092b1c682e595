package dev.postonce.standalone.verify;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** When the records of each topic were appended; eight bytes for each, which is little beside the facts about them. */
final class TopicTally {

    private static final int FIRST = 256;

    private final Map<String, long[]> times = new HashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();

    void seen(String topic, long appendedAtMs) {
        int count = counts.merge(topic, 1, Integer::sum);
        long[] all = times.computeIfAbsent(topic, key -> new long[FIRST]);
        if (count > all.length) {
            all = Arrays.copyOf(all, all.length * 2);
            times.put(topic, all);
        }
        all[count - 1] = appendedAtMs;
    }

    long since(String topic, long ms) {
        int count = counts.getOrDefault(topic, 0);
        return Arrays.stream(times.getOrDefault(topic, new long[0]), 0, count)
                .filter(at -> at >= ms)
                .count();
    }
}
