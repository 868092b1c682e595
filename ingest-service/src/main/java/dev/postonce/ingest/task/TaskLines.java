package dev.postonce.ingest.task;

import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.ingest.task.JdbcTaskChunks.Line;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.ingest.web.Reply;
import dev.postonce.runtime.FailPoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.transaction.TransactionException;

/**
 * Many submissions together, each with an outcome of its own. Those that are the first of their kind share a statement
 * and a commit; all others, and all of a statement that failed, are taken one by one, by the same use case as over HTTP.
 */
public final class TaskLines {

    private final SubmissionReader reader;
    private final TaskIntake intake;
    private final JdbcTaskChunks chunks;
    private final IntakeMetrics metrics;

    public TaskLines(SubmissionReader reader, TaskIntake intake, JdbcTaskChunks chunks, IntakeMetrics metrics) {
        this.reader = reader;
        this.intake = intake;
        this.chunks = chunks;
        this.metrics = metrics;
    }

    /** A submission that waits for its statement; what can be done without the database is done. */
    public static final class Prepared {

        private final Exchange exchange;
        private final TaskIntake.@Nullable Work work;
        private final @Nullable RuntimeException error;

        private Prepared(Exchange exchange, TaskIntake.@Nullable Work work, @Nullable RuntimeException error) {
            this.exchange = exchange;
            this.work = work;
            this.error = error;
        }

        /** One that is refused before it is read. */
        public static Prepared failed(Exchange exchange, RuntimeException error) {
            return new Prepared(exchange, null, error);
        }

        public Exchange exchange() {
            return exchange;
        }
    }

    /** Either a reply or what went wrong, in the order of the lines. */
    public record Result(@Nullable Reply reply, @Nullable RuntimeException error) {}

    /** Reads, cleans and encodes, so that another thread may store meanwhile. */
    public Prepared prepare(Command command) {
        command.exchange().enters(TaskIntake.ROUTE);
        try {
            TaskSubmission submission = metrics.timed("read", () -> reader.read(command.json()));
            command.exchange().concernsTask(submission.externalId(), submission.slug(), submission.language());
            TaskIntake.Work work =
                    metrics.timed("prepare", () -> intake.prepare(command.exchange(), command.caller(), submission));
            return new Prepared(command.exchange(), work, null);
        } catch (RuntimeException e) {
            return Prepared.failed(command.exchange(), e);
        }
    }

    /** Whether the lines behind one that failed are to be left for later, since they may concern the same task. */
    public interface Stop {

        boolean after(int line, RuntimeException error);
    }

    /** @param lines of one caller, for whose tenant the thread works meanwhile */
    public List<Result> store(List<Prepared> lines) {
        return storeUntil(lines, (line, error) -> false);
    }

    /** As {@link #store}, with fewer results where it was stopped: the last one is then of the line that failed. */
    public List<Result> storeUntil(List<Prepared> lines, Stop stop) {
        @Nullable
        Principal caller = lines.isEmpty() ? null : lines.get(0).exchange.principal();
        return caller == null
                ? storeAll(lines, stop)
                : TenantScope.within(caller.tenantId(), () -> storeAll(lines, stop));
    }

    private List<Result> storeAll(List<Prepared> lines, Stop stop) {
        List<TaskIntake.Work> sound = new ArrayList<>();
        lines.forEach(line -> {
            if (line.work != null && intake.mayShareStatement(line.work)) {
                sound.add(line.work);
            }
        });
        @Nullable RuntimeException down = null;
        Map<UUID, Acceptance> created = Map.of();
        if (sound.size() > 1) {
            try {
                created = metrics.timed("create_chunk", () -> create(sound));
            } catch (DataAccessException | TransactionException e) {
                // A line's own fault is found when it is taken alone; a database that is away is away for all.
                down = isAway(e) ? e : null;
            }
        }
        List<Result> results = new ArrayList<>(lines.size());
        for (Prepared line : lines) {
            Result result = down == null || line.error != null ? resultOf(line, created) : new Result(null, down);
            down = down == null && result.error() != null && isAway(result.error()) ? result.error() : down;
            results.add(result);
            if (result.error() != null && stop.after(results.size() - 1, result.error())) {
                break;
            }
        }
        return results;
    }

    private Map<UUID, Acceptance> create(List<TaskIntake.Work> works) {
        FailPoint.hit("ingest.chunk-before-insert");
        Instant now = intake.now();
        List<Line> lines = new ArrayList<>(works.size());
        for (TaskIntake.Work work : works) {
            KeyBinding binding = intake.binding(work, now, Outcome.CREATED, 201);
            lines.add(new Line(work.first(), binding));
        }
        Map<UUID, Created> made = chunks.create(lines);
        FailPoint.hit("ingest.chunk-after-commit-before-answers");
        Map<UUID, Acceptance> created = new HashMap<>();
        for (TaskIntake.Work work : works) {
            @Nullable Created one = made.get(work.first().taskId());
            if (one != null) {
                created.put(work.first().taskId(), intake.first(work, one, now));
            }
        }
        return created;
    }

    private Result resultOf(Prepared line, Map<UUID, Acceptance> created) {
        if (line.work == null) {
            return new Result(null, line.error);
        }
        try {
            @Nullable Acceptance known = created.get(line.work.first().taskId());
            Acceptance acceptance = known != null ? known : intake.settle(line.work);
            return new Result(TaskView.reply(line.exchange, acceptance), null);
        } catch (RuntimeException e) {
            return new Result(null, e);
        }
    }

    private static boolean isAway(RuntimeException error) {
        return !(error instanceof Refusal) && StorageErrors.isPassing(error) && !StorageErrors.isLockWait(error);
    }
}
