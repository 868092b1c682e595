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

    private final Set<UUID> stored = new HashSet<>();
    private final SharedCreates shared = new SharedCreates(this::alone, this::together);

    private synchronized Optional<Created> alone(NewTask task, KeyBinding binding, AuditRow audit) {
        return stored.add(task.taskId()) ? Optional.of(made(task.taskId())) : Optional.empty();
    }

    private synchronized Map<UUID, Created> together(List<Line> lines) {
        Map<UUID, Created> made = new HashMap<>();
        for (Line line : lines) {
            UUID id = line.task().taskId();
            if (stored.add(id)) {
                made.put(id, made(id));
            }
        }
        return made;
    }

    private static Created made(UUID id) {
        return new Created(id.toString(), null, null);
    }

    /** @return the name of what was created; null where it was there already */
    @Operation
    public String create(@Param(name = "task") int task) {
        UUID id = new UUID(0, task);
        Exchange exchange = Exchange.ofWrite("r", CMS, null);
        KeyBinding binding =
                new KeyBinding(exchange, CMS, TaskIntake.ROUTE, Duration.ofDays(7), NOW, Outcome.CREATED, 201);
        AuditRow audit = new AuditRow(exchange, NOW, Outcome.CREATED, 201, null, 1L, null);
        return shared.create(new NewTask(id, id, null, null, null, "{}"), binding, audit)
                .map(Created::baseUrl)
                .orElse(null);
    }

    @Test
    void each_submission_is_one_step() {
        // Two statements of a caller may be under way: the third thread is the first that waits.
        Interleavings.exploreCrowd(SharedCreatesInterleavingsIT.class);
    }
}
