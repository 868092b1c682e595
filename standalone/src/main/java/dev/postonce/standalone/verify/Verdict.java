package dev.postonce.standalone.verify;

import dev.postonce.invariants.CheckResult;
import dev.postonce.invariants.Violation;
import dev.postonce.invariants.ViolationKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * What verify found.
 *
 * @param counts how much was read, by name, in the order of a reader
 * @param notRead sinks that were left out or did not answer, with the reason; what needs them was not judged
 */
public record Verdict(
        Instant readAt,
        Duration grace,
        String prefix,
        Map<String, Long> counts,
        List<CheckResult> results,
        List<String> notRead) {

    public Verdict {
        results = List.copyOf(results);
        notRead = List.copyOf(notRead);
    }

    public boolean isClean() {
        return results.stream().allMatch(CheckResult::holds);
    }

    public List<Violation> violations() {
        return results.stream().flatMap(result -> result.violations().stream()).toList();
    }

    /** Whether everything that is wrong may be right in a moment: something is only not there yet. */
    public boolean mayStillArrive() {
        return results.stream().allMatch(result -> result.counts().keySet().stream()
                .allMatch(kind -> kind == ViolationKind.MISSING || kind == ViolationKind.STALE));
    }
}
