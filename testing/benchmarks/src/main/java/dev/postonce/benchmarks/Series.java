package dev.postonce.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** What was measured of one thing, round by round. */
final class Series {

    private final List<Double> values = new ArrayList<>();

    void add(double value) {
        values.add(value);
    }

    double median() {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        int middle = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(middle) : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
    }

    /** The median, and between what it lay. */
    String text() {
        return String.format(
                Locale.ROOT, "%.0f (%.0f–%.0f)", median(), Collections.min(values), Collections.max(values));
    }

    List<Double> values() {
        return List.copyOf(values);
    }
}
