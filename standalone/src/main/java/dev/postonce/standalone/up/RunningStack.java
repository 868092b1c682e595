package dev.postonce.standalone.up;

import dev.postonce.standalone.DevKeys;
import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.ChildStatus;
import dev.postonce.standalone.process.Parts;
import dev.postonce.standalone.process.SupervisorRecord;
import dev.postonce.standalone.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A stack whose supervisor is elsewhere, or in this process: it is spoken to through the home either way. */
class RunningStack implements Stack {

    private final StandaloneHome home;
    private final Parts parts;
    private final HealthProbe probe;

    RunningStack(StandaloneHome home) {
        this.home = home;
        this.parts = new Parts(home);
        this.probe = new HealthProbe(home);
    }

    @Override
    public StandaloneHome home() {
        return home;
    }

    @Override
    public StackPorts ports() {
        return home.ports();
    }

    @Override
    public DevKeys devKeys() {
        return home.devKeys();
    }

    @Override
    public boolean isOwned() {
        return false;
    }

    @Override
    public long kill(Part part) {
        return parts.kill(part.label());
    }

    @Override
    public void stop(Part part) {
        parts.hold(part.label());
    }

    @Override
    public void start(Part part) {
        parts.release(part.label());
    }

    @Override
    public int restarts(Part part) {
        return SupervisorRecord.load(home)
                .flatMap(record -> record.part(part.label()))
                .map(ChildStatus::restarts)
                .orElse(0);
    }

    @Override
    public boolean isHealthy(Part part) {
        return probe.ask(part).healthy();
    }

    @Override
    public void awaitHealthy(Duration timeout) {
        long end = System.nanoTime() + timeout.toNanos();
        List<String> reasons = unhealthy();
        while (!reasons.isEmpty()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("not healthy after " + timeout.toSeconds() + " s: "
                        + String.join("; ", reasons) + ". The logs are in " + home.logs());
            }
            Waiting.until(Duration.ofMillis(100), () -> false);
            reasons = unhealthy();
        }
    }

    @Override
    public void close() {}

    private List<Instance> supervised() {
        List<ChildStatus> known =
                SupervisorRecord.load(home).map(SupervisorRecord::parts).orElse(List.of());
        List<Instance> instances = known.stream()
                .flatMap(child -> Instance.named(child.name()).stream())
                .toList();
        return instances.isEmpty()
                ? Arrays.stream(Part.values()).map(Instance::first).toList()
                : instances;
    }

    private List<String> unhealthy() {
        List<String> reasons = new ArrayList<>();
        for (Instance instance : supervised()) {
            HealthProbe.Health health = probe.ask(instance);
            if (!health.healthy()) {
                reasons.add(instance.name() + ": " + health.reason());
            }
        }
        return reasons;
    }
}
