package dev.postonce.standalone.verify;

import dev.postonce.standalone.Part;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one process told at {@code /actuator/prometheus}.
 *
 * @param startedAtMs when it began, and with it its counters
 * @param samples by name with tags, as they stand there
 */
record Meters(Part part, String url, long startedAtMs, Map<String, Double> samples) {

    private static final String START = "process_start_time_seconds";
    private static final double MS_A_SECOND = 1_000;
    private static final Pattern SAMPLE = Pattern.compile("^([a-z_]+(?:\\{.*})?) (\\S+)$", Pattern.MULTILINE);

    static Meters parse(Part part, String url, String text) {
        Map<String, Double> samples = new TreeMap<>();
        Matcher line = SAMPLE.matcher(text);
        while (line.find()) {
            samples.put(line.group(1), number(line.group(2)));
        }
        Meters meters = new Meters(part, url, 0, samples);
        if (!meters.has(START)) {
            throw new CouldNotReadException(url + " does not tell when it began");
        }
        return new Meters(part, url, (long) (meters.sum(START) * MS_A_SECOND), samples);
    }

    boolean has(String name) {
        return samples.keySet().stream().anyMatch(sample -> isOf(sample, name));
    }

    /** @param tags such as {@code outcome="created"}, all of which a sample must have */
    double sum(String name, String... tags) {
        double sum = 0;
        for (Map.Entry<String, Double> sample : samples.entrySet()) {
            boolean wanted = isOf(sample.getKey(), name);
            for (String tag : tags) {
                wanted &= sample.getKey().contains("{" + tag) || sample.getKey().contains("," + tag);
            }
            if (wanted) {
                sum += sample.getValue();
            }
        }
        return sum;
    }

    private static boolean isOf(String sample, String name) {
        return sample.equals(name) || sample.startsWith(name + "{");
    }

    /** Its notation for what is no number is not Java's. */
    private static double number(String text) {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    yield Double.NaN;
                }
            }
        };
    }
}
