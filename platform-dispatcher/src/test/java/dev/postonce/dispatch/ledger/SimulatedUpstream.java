package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.TaskState;
import dev.postonce.dispatch.target.Tasks.Told;
import dev.postonce.testinfra.simulation.Simulation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Submits, changes, withdraws, restores; adds platforms; times a post. */
final class SimulatedUpstream {

    private static final String TENANT = "dev";
    private static final List<String> PLATFORMS = List.of("wordpress", "webhook", "zhihu");

    private final LedgerWorld world;
    private final Simulation simulation;

    SimulatedUpstream(LedgerWorld world) {
        this.world = world;
        this.simulation = world.simulation;
    }

    private record Version(
            String externalId, long version, String status, String title, List<String> platforms, Instant publishAt) {}

    void begin(String externalId, long withinMs) {
        List<String> platforms = new ArrayList<>();
        platforms.add(simulation.chance(0.5) ? PLATFORMS.get(0) : simulation.pick(PLATFORMS));
        if (simulation.chance(0.5)) {
            platforms.add(PLATFORMS.get((PLATFORMS.indexOf(platforms.get(0)) + 1) % PLATFORMS.size()));
        }
        Instant publishAt = simulation.chance(0.1) ? simulation.now().plusSeconds(30) : null;
        Version first = new Version(externalId, 1, "active", "one", platforms, publishAt);
        simulation.after(
                simulation.delayMs(1, withinMs),
                () -> tell(first, withinMs, 2 + simulation.random().nextInt(5)));
    }

    /** A version that the database does not take now comes again, as its record would. */
    private void tell(Version version, long withinMs, int left) {
        try {
            world.plan(told(version));
            simulation.note("desired: " + version);
        } catch (RuntimeException e) {
            simulation.after(500, () -> tell(version, withinMs, left));
            return;
        }
        if (left > 1) {
            Version next = next(version);
            simulation.after(simulation.delayMs(10, withinMs), () -> tell(next, withinMs, left - 1));
        }
    }

    private Version next(Version now) {
        long version = now.version() + 1;
        List<String> platforms = now.platforms();
        String title = now.title();
        String status = "active";
        switch (simulation.random().nextInt(6)) {
            case 0 -> status = simulation.chance(0.5) ? "draft" : "archived";
            case 1 -> {
                platforms = new ArrayList<>(platforms);
                String more = simulation.pick(PLATFORMS);
                if (!platforms.contains(more)) {
                    platforms.add(more);
                }
            }
            case 2 -> title = now.title();
            default -> title = "title " + version;
        }
        return new Version(now.externalId(), version, status, title, platforms, now.publishAt());
    }

    private Told told(Version version) {
        // Half of the worlds have two tasks that want one slug.
        String slug = simulation.seed() % 2 == 0 ? "slug" : "slug-" + version.externalId();
        String article = Digests.sha256Hex(version.title() + slug);
        TaskState state = new TaskState(
                TENANT,
                "00000000-0000-7000-8000-000000000000",
                version.externalId(),
                version.version(),
                version.status(),
                !version.status().equals("active"),
                // Some withdrawals leave what is out where it is.
                !version.status().equals("active") && version.version() % 3 == 0 ? TaskState.KEEP : null,
                null,
                "default",
                version.title(),
                "<p>text</p>",
                null,
                null,
                null,
                List.of(),
                null,
                version.platforms(),
                null,
                version.publishAt(),
                "site",
                slug,
                "zh",
                null,
                article,
                article);
        return new Told(
                new EventEnvelope(
                        world.nextId(),
                        "dev.postonce.task.state.v1",
                        "/postonce/ingest",
                        version.externalId(),
                        simulation.now(),
                        RecordKey.ofTask(TENANT, version.externalId()),
                        version.version(),
                        null,
                        "{}"),
                state);
    }
}
