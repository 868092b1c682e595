package dev.postonce.standalone.submit;

import dev.postonce.contract.EventJson;
import java.io.PrintWriter;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** How a report looks to a person, and to a machine. */
final class SubmitOutput {

    private static final int NOTES_SHOWN = 50;

    private SubmitOutput() {}

    static String progress(SubmitReport soFar) {
        return String.format(
                Locale.ROOT,
                "sent %d: created %d, replayed %d, refused %d, gave up %d; %.0f/s",
                soFar.sent(),
                soFar.created(),
                soFar.replayed(),
                soFar.refused() + soFar.faulty(),
                soFar.gaveUp(),
                soFar.perSecond());
    }

    static void text(SubmitReport report, PrintWriter out) {
        out.printf(
                Locale.ROOT,
                "%d lines, %d submissions in %.1f s (%.0f/s)%n",
                report.lines(),
                report.sent(),
                report.elapsed().toMillis() / 1000.0,
                report.perSecond());
        out.printf("  created  新建  %d%n", report.created());
        out.printf("  replayed 重放  %d%n", report.replayed());
        out.printf("  refused  拒绝  %d%n", report.refused() + report.faulty());
        out.printf("  gave up  放弃  %d%n", report.gaveUp());
        if (report.retries() > 0) {
            out.printf("  tried again 重试 %d times; each under the same key%n", report.retries());
        }
        report.notes().stream()
                .limit(NOTES_SHOWN)
                .forEach(note -> out.printf("line %d: %s: %s%n", note.line(), note.outcome(), note.detail()));
        if (report.notes().size() > NOTES_SHOWN) {
            out.printf("… and more; --json lists %d%n", report.notes().size());
        }
        if (report.stoppedAtLine() != null) {
            out.printf(
                    "stopped before line %d: the service does not answer. Submit the whole file again when it is back;"
                            + " what was accepted is replayed, not doubled.%n",
                    report.stoppedAtLine());
        } else if (report.gaveUp() > 0) {
            out.println("Submit the whole file again later; what was accepted is replayed, not doubled.");
        }
    }

    static String json(SubmitReport report) {
        ObjectNode json = EventJson.mapper().createObjectNode();
        json.put("ok", report.allAccepted());
        json.put("lines", report.lines());
        json.put("sent", report.sent());
        json.put("created", report.created());
        json.put("replayed", report.replayed());
        json.put("refused", report.refused());
        json.put("faulty", report.faulty());
        json.put("gave_up", report.gaveUp());
        json.put("retries", report.retries());
        json.put("content_differs", report.differing());
        if (report.stoppedAtLine() != null) {
            json.put("stopped_at_line", report.stoppedAtLine());
        }
        json.put("elapsed_ms", report.elapsed().toMillis());
        ArrayNode notes = json.putArray("notes");
        for (SubmitReport.Note note : report.notes()) {
            notes.addObject()
                    .put("line", note.line())
                    .put("outcome", note.outcome())
                    .put("detail", note.detail());
        }
        return json.toPrettyString();
    }
}
