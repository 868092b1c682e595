package dev.postonce.ingest.task;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.task.JdbcTaskChunks.Line;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.interleavings.Interleavings;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whoever shares a statement with whom, each learns what became of its own submission, and nobody is left waiting. */
@Param(name = "task", gen = IntGen.class, conf = "0:2")
@Tag("parts")
public class SharedCreatesInterleavingsIT {

    private static final Principal CMS = new Principal("dev", "cms", "key", Set.of("submit"));
    private static final Instant NOW = Instant.EPOCH;

    private final Set<String> stored = new HashSet<>();
    private final AtomicLong submissions = new AtomicLong();
    private final SharedCreates shared = new SharedCreates(1, this::alone, this::together);

    private synchronized Optional<Created> alone(NewTask task, KeyBinding binding, AuditRow audit) {
        return stored.add(task.data()) ? Optional.of(made(task)) : Optional.empty();
    }

    private synchronized Map<UUID, Created> together(List<Line> lines) {
        Map<UUID, Created> made = new HashMap<>();
        for (Line line : lines) {
            if (stored.add(line.task().data())) {
                made.put(line.task().taskId(), made(line.task()));
            }
        }
        return made;
    }

    private static Created made(NewTask task) {
        return new Created(task.data(), null, null);
    }

    /** @return the name of what was created; null where it was there already */
    @Operation
    public String create(@Param(name = "task") int task) {
        UUID id = new UUID(0, submissions.incrementAndGet());
        Exchange exchange = Exchange.ofWrite("r", CMS, null);
        KeyBinding binding =
                new KeyBinding(exchange, CMS, TaskIntake.ROUTE, Duration.ofDays(7), NOW, Outcome.CREATED, 201);
        AuditRow audit = new AuditRow(exchange, NOW, Outcome.CREATED, 201, null, 1L, null);
        return shared.create(new NewTask(id, id, null, null, null, "task-" + task), binding, audit)
                .map(Created::baseUrl)
                .orElse(null);
    }

    @Test
    void each_submission_is_one_step() {
        // One sends, and two wait: those share the next statement.
        Interleavings.exploreCrowd(SharedCreatesInterleavingsIT.class);
    }
}
