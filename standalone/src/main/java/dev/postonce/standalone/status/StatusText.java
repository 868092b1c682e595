package dev.postonce.standalone.status;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** The report as a person reads it. */
final class StatusText {

    private static final int REASON_CHARS_MAX = 300;

    private StatusText() {}

    static List<String> lines(StatusReport report) {
        List<String> lines = new ArrayList<>();
        lines.add("home %s, supervisor %s, memory %d MiB"
                .formatted(
                        report.home(),
                        report.supervisorPid() == 0 ? "none 未运行" : Long.toString(report.supervisorPid()),
                        report.memoryKib() / 1024));
        lines.add("");
        lines.add("%-11s %-5s %-8s %6s %6s %9s %9s"
                .formatted("PART", "STATE", "PID", "PORT", "RSS", "(share)", "RESTARTS"));
        for (PartStatus part : report.parts()) {
            lines.add("%-11s %-5s %-8s %6d %4dMB %7dMB %9d  %s"
                    .formatted(
                            part.part(),
                            part.healthy() ? "up" : part.pid() == 0 ? "down" : "sick",
                            part.pid() == 0 ? "-" : Long.toString(part.pid()),
                            part.port(),
                            part.residentKib() / 1024,
                            part.proportionalKib() / 1024,
                            part.restarts(),
                            shorten(part.reason()))
                    .stripTrailing());
        }
        lines.add("");
        StackCounts counts = report.counts();
        if (counts == null) {
            lines.add("the database does not answer: no numbers 数据库无响应");
        } else {
            addCounts(lines, counts);
        }
        return lines;
    }

    private static void addCounts(List<String> lines, StackCounts counts) {
        counts.counts().forEach((name, count) -> lines.add("%-18s %d".formatted(name, count)));
        String targets = counts.targets().entrySet().stream()
                .map(state -> state.getKey() + " " + state.getValue())
                .collect(Collectors.joining(", "));
        lines.add("%-18s %s".formatted("targets", targets.isEmpty() ? "none" : targets));
        for (StackCounts.RelayLag lag : counts.relay()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-18s %d rows, oldest %.1f s, slot %d KiB behind",
                    "relay " + lag.source(),
                    lag.unpublished(),
                    lag.oldestSeconds(),
                    lag.slotLagBytes() / 1024));
        }
    }

    private static String shorten(String reason) {
        return reason.length() <= REASON_CHARS_MAX ? reason : reason.substring(0, REASON_CHARS_MAX) + "…";
    }
}
