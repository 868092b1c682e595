package dev.postonce.ingest.task;

import dev.postonce.interleavings.Interleavings;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A hint names a task that was noted, or none; never half of one and half of another. */
@Param(name = "task", gen = IntGen.class, conf = "0:1")
@Tag("parts")
public class RecentTasksInterleavingsIT {

    private final RecentTasks recent = new RecentTasks();

    @Operation
    public void note(@Param(name = "task") int task) {
        recent.note("dev", "task-" + task);
    }

    @Operation
    public boolean mayHave(@Param(name = "task") int task) {
        return recent.mayHave("dev", "task-" + task);
    }

    @Test
    void each_call_is_one_step() {
        Interleavings.explore(RecentTasksInterleavingsIT.class);
    }
}
