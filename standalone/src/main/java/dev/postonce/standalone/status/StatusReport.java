package dev.postonce.standalone.status;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.Database;
import dev.postonce.standalone.process.ChildStatus;
import dev.postonce.standalone.process.HomeLock;
import dev.postonce.standalone.process.Parts;
import dev.postonce.standalone.process.ProcFs;
import dev.postonce.standalone.process.ProcessId;
import dev.postonce.standalone.process.SupervisorRecord;
import dev.postonce.standalone.up.HealthProbe;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One look at the whole.
 *
 * @param supervisorPid 0 if no supervisor runs; its children may still do
 * @param memoryKib what all of it takes, pages that several processes share counted once
 */
record StatusReport(
        String home,
        long supervisorPid,
        boolean healthy,
        long memoryKib,
        List<PartStatus> parts,
        @Nullable StackCounts counts) {

    static StatusReport of(StandaloneHome home) {
        HealthProbe probe = new HealthProbe(home);
        Parts processes = new Parts(home);
        Optional<SupervisorRecord> record = SupervisorRecord.load(home);
        List<PartStatus> parts = new ArrayList<>();
        for (Instance instance : instances(record)) {
            parts.add(one(home, instance, processes, probe, record));
        }
        long supervisor = HomeLock.holder(home).map(ProcessId::pid).orElse(0L);
        long memory = parts.stream().mapToLong(PartStatus::proportionalKib).sum()
                + (supervisor == 0 ? 0 : ProcFs.proportionalKib(supervisor));
        return new StatusReport(
                home.root().toString(),
                supervisor,
                supervisor != 0 && parts.stream().allMatch(PartStatus::healthy),
                memory,
                parts,
                new JdbcStackCounts(Database.of(home)).read().orElse(null));
    }

    boolean runs() {
        return supervisorPid != 0 || parts.stream().anyMatch(part -> part.pid() != 0);
    }

    private static PartStatus one(
            StandaloneHome home,
            Instance instance,
            Parts processes,
            HealthProbe probe,
            Optional<SupervisorRecord> record) {
        long pid = processes.process(instance.name()).map(ProcessId::pid).orElse(0L);
        HealthProbe.Health health = pid == 0 ? new HealthProbe.Health(false, "does not run") : probe.ask(instance);
        int restarts = record.flatMap(known -> known.part(instance.name()))
                .map(ChildStatus::restarts)
                .orElse(0);
        List<Long> processesOfIt = instance.part() == Part.POSTGRES && pid != 0 ? withChildren(pid) : List.of(pid);
        return new PartStatus(
                instance.name(),
                pid,
                health.healthy(),
                health.reason(),
                instance.port(home.ports()),
                restarts,
                processesOfIt.stream().mapToLong(ProcFs::residentKib).sum(),
                processesOfIt.stream().mapToLong(ProcFs::proportionalKib).sum());
    }

    /** One of each part, and the second ones that the supervisor keeps. */
    private static List<Instance> instances(Optional<SupervisorRecord> record) {
        List<Instance> instances = new ArrayList<>();
        for (Part part : Part.values()) {
            instances.add(Instance.first(part));
            Instance second = Instance.second(part);
            if (record.flatMap(known -> known.part(second.name())).isPresent()) {
                instances.add(second);
            }
        }
        return instances;
    }

    /** PostgreSQL is one process for each session. */
    private static List<Long> withChildren(long pid) {
        List<Long> all = new ArrayList<>(List.of(pid));
        ProcessHandle.of(pid).ifPresent(handle -> handle.children().forEach(child -> all.add(child.pid())));
        return all;
    }
}
