package dev.postonce.standalone.submit;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What became of all lines.
 *
 * @param lines that were read, blank ones left out
 * @param sent submissions that got an answer or were given up
 * @param refused by the service
 * @param faulty lines that were not sent
 * @param retries tries beyond the first
 * @param differing replays of an identity with another content; nothing was changed
 * @param notes the first of what was refused, faulty, given up or differing, by line
 * @param stoppedAtLine where it stopped because the service did not answer any more; null if it came to the end
 */
public record SubmitReport(
        long lines,
        long sent,
        long created,
        long replayed,
        long refused,
        long faulty,
        long gaveUp,
        long retries,
        long differing,
        List<Note> notes,
        @Nullable Long stoppedAtLine,
        Duration elapsed) {

    public SubmitReport {
        notes = List.copyOf(notes);
    }

    /** @param outcome {@code refused}, {@code faulty}, {@code gave_up} or {@code differs} */
    public record Note(long line, String outcome, String detail) {}

    public boolean allAccepted() {
        return refused == 0 && faulty == 0 && gaveUp == 0 && stoppedAtLine == null;
    }

    public double perSecond() {
        double seconds = Math.max(elapsed.toMillis(), 1) / 1000.0;
        return sent / seconds;
    }
}
