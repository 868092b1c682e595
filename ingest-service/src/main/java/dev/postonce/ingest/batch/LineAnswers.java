package dev.postonce.ingest.batch;

import dev.postonce.ingest.batch.BatchRun.End;
import dev.postonce.ingest.task.TaskLines.Prepared;
import dev.postonce.ingest.task.TaskLines.Result;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusals;
import dev.postonce.ingest.web.Refusals.Problem;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One line of answer for each line: what a single submission would be answered, with its number, status and key. */
final class LineAnswers {

    private static final byte[] LINE_END = {'\n'};

    /** @param code null for what was accepted */
    record Answer(byte[] bytes, Outcome outcome, @Nullable ErrorCode code) {}

    /** What became of the lines so far. */
    static final class Tally {

        private final Map<Outcome, Integer> counts = new EnumMap<>(Outcome.class);
        private int lines;
        private int retryable;

        void count(Answer answer) {
            lines++;
            counts.merge(answer.outcome(), 1, Integer::sum);
            if (answer.code() != null && answer.code().retryable()) {
                retryable++;
            }
        }

        private int of(Outcome outcome) {
            return counts.getOrDefault(outcome, 0);
        }
    }

    private final Refusals refusals;
    private final IntakeMetrics metrics;

    LineAnswers(Refusals refusals, IntakeMetrics metrics) {
        this.refusals = refusals;
        this.metrics = metrics;
    }

    Answer of(long number, @Nullable IdempotencyKey key, Prepared line, Result result) {
        Exchange exchange = line.exchange();
        ObjectNode answer = Answers.mapper().createObjectNode().put("line", number);
        @Nullable ErrorCode code = null;
        ObjectNode body;
        if (result.reply() != null) {
            answer.put("status_code", result.reply().status());
            body = result.reply().body();
        } else {
            RuntimeException error = Objects.requireNonNull(result.error(), "a line has a reply or an error");
            Problem problem = refusals.refuse(exchange, error);
            code = problem.code();
            answer.put("status_code", code.status());
            body = problem.body();
        }
        answer.put("idempotency_key", key == null ? null : key.value());
        answer.setAll(body);
        Outcome outcome = Objects.requireNonNullElse(exchange.outcome(), Outcome.FAILED);
        metrics.line("batch", outcome);
        return new Answer(bytesOf(answer), outcome, code);
    }

    byte[] summary(Tally tally, End end, int linesMax) {
        ObjectNode summary = Answers.mapper()
                .createObjectNode()
                .put("complete", end == End.WHOLE)
                .put("lines", tally.lines)
                .put("created", tally.of(Outcome.CREATED))
                .put("replayed", tally.of(Outcome.REPLAY))
                .put("updated", tally.of(Outcome.UPDATED))
                .put("refused", tally.of(Outcome.REFUSED) + tally.of(Outcome.CONFLICT))
                .put("failed", tally.of(Outcome.FAILED))
                .put("retryable", tally.retryable);
        if (end != End.WHOLE) {
            summary.put("ended_by", end == End.NOT_YET ? "error" : end.name().toLowerCase(Locale.ROOT));
            summary.put("next", next(end, linesMax));
        }
        ObjectNode line = Answers.mapper().createObjectNode();
        line.set("summary", summary);
        return bytesOf(line);
    }

    private static String next(End end, int linesMax) {
        return switch (end) {
            case TOO_MANY_LINES ->
                "A batch has at most " + linesMax + " lines. Send those behind the last answer in another one.";
            case STORAGE_AWAY ->
                "The database does not answer. Send the whole batch again later: what is stored is replayed, not doubled.";
            default ->
                "Not all lines were answered. Send the whole batch again: what is stored is replayed, not doubled.";
        };
    }

    private static byte[] bytesOf(ObjectNode line) {
        byte[] json = Answers.bytes(line);
        byte[] bytes = new byte[json.length + LINE_END.length];
        System.arraycopy(json, 0, bytes, 0, json.length);
        System.arraycopy(LINE_END, 0, bytes, json.length, LINE_END.length);
        return bytes;
    }
}
