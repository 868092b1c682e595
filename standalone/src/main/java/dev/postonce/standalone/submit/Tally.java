package dev.postonce.standalone.submit;

import dev.postonce.client.SubmitResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Counts results as they come, from many threads; keeps a bounded number of notes. */
final class Tally {

    private static final int NOTES_MAX = 1_000;

    /** A line that is submitted several times and refused each time is told once. */
    private final Set<SubmitReport.Note> notes = new LinkedHashSet<>();

    private long lines;
    private long sent;
    private long created;
    private long replayed;
    private long refused;
    private long faulty;
    private long gaveUp;
    private long gaveUpInARow;
    private long retries;
    private long differing;

    synchronized void line() {
        lines++;
    }

    synchronized void faulty(LineForm.Outcome.Faulty line) {
        faulty++;
        note(line.line(), "faulty", line.reason());
    }

    synchronized void result(Submission submission, SubmitResult result) {
        sent++;
        retries += result.tries() - 1;
        gaveUpInARow = result instanceof SubmitResult.GaveUp ? gaveUpInARow + 1 : 0;
        if (result instanceof SubmitResult.Created) {
            created++;
        } else if (result instanceof SubmitResult.Replayed replay) {
            replayed++;
            differing(submission, replay.resource().path("content_differs"));
        } else if (result instanceof SubmitResult.Refused refusal) {
            refused++;
            note(submission.line(), "refused", refusal.problem().describe());
        } else if (result instanceof SubmitResult.GaveUp end) {
            gaveUp++;
            note(submission.line(), "gave_up", end.last().describe());
        }
    }

    synchronized long gaveUpInARow() {
        return gaveUpInARow;
    }

    synchronized SubmitReport report(@Nullable Long stoppedAtLine, Duration elapsed) {
        List<SubmitReport.Note> byLine = new ArrayList<>(notes);
        byLine.sort(Comparator.comparingLong(SubmitReport.Note::line));
        return new SubmitReport(
                lines,
                sent,
                created,
                replayed,
                refused,
                faulty,
                gaveUp,
                retries,
                differing,
                byLine,
                stoppedAtLine,
                elapsed);
    }

    private void differing(Submission submission, JsonNode fields) {
        if (fields.isArray() && !fields.isEmpty()) {
            differing++;
            List<String> names = new ArrayList<>();
            fields.forEach(field -> names.add(field.asString()));
            note(
                    submission.line(),
                    "differs",
                    "accepted before with another " + String.join(", ", names)
                            + "; nothing was changed, use the update interface");
        }
    }

    private void note(long line, String outcome, String detail) {
        if (notes.size() < NOTES_MAX) {
            notes.add(new SubmitReport.Note(line, outcome, detail));
        }
    }
}
