package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.testinfra.simulation.Simulation;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A platform that remembers everything: the truth that the ledger is compared with. It loses requests and answers, is
 * slow, limits, breaks down before or after it acted, and refuses some contents for good.
 */
final class SimulatedPlatform implements Connector {

    static final Duration SETTLING = Duration.ofSeconds(10);
    static final Duration WINDOW = Duration.ofMinutes(20);
    private static final long LATE_MS_MAX = SETTLING.toMillis() - 500;

    /** What the platform shows under one marker. */
    static final class Post {
        final String id;
        long taskVersion;
        boolean live;

        Post(String id, long taskVersion) {
            this.id = id;
            this.taskVersion = taskVersion;
            this.live = true;
        }
    }

    private final Simulation simulation;
    private final Platform platform;
    private final Recovery recovery;
    private final boolean dedupes;
    final Map<String, Post> posts = new LinkedHashMap<>();
    private final Map<String, Long> keys = new LinkedHashMap<>();
    private final Map<String, Integer> flying = new LinkedHashMap<>();
    int made;

    /**
     * @param recovery what the connector claims
     * @param dedupes what the platform does
     */
    SimulatedPlatform(Simulation simulation, Platform platform, Recovery recovery, boolean dedupes) {
        this.simulation = simulation;
        this.platform = platform;
        this.recovery = recovery;
        this.dedupes = dedupes;
    }

    boolean dedupes() {
        return dedupes;
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public Recovery recovery() {
        return recovery;
    }

    @Override
    public FrozenRequest freeze(Effect effect, Account account) {
        String key = recovery instanceof Recovery.DedupesByKey
                ? effect.marker() + "_v" + effect.task().version()
                : null;
        String slug = effect.task().slug();
        boolean claims = recovery instanceof Recovery.CanBeAsked && effect.action() == Action.CREATE && slug != null;
        return new FrozenRequest(
                "POST",
                URI.create("https://platform.example/" + effect.action().wireName()),
                "text/plain",
                (effect.task().title() + " v" + effect.task().version()).getBytes(StandardCharsets.UTF_8),
                key,
                claims ? new FrozenRequest.Claim("site", slug) : null);
    }

    /** In a simulation sending takes several steps; see {@link #request}. */
    @Override
    public Outcome send(Job job, Account account, SendGuard guard) {
        throw new UnsupportedOperationException();
    }

    /** Whether a request is on its way that may still have an effect. */
    boolean isFlying(String marker) {
        return flying.getOrDefault(marker, 0) > 0;
    }

    boolean isAnyFlying() {
        return flying.values().stream().anyMatch(count -> count > 0);
    }

    /** The last byte has left now. The answer comes at most once, late, or never. */
    void request(Job job, Consumer<Outcome> answer) {
        if (simulation.fault(0.08)) {
            simulation.note("lost on its way: " + job.action() + " " + job.id() + " v" + job.taskVersion());
            return;
        }
        flying.merge(job.marker(), 1, Integer::sum);
        long worst = simulation.fault(0.3) ? LATE_MS_MAX : 1_500;
        simulation.after(simulation.delayMs(1, worst), () -> {
            flying.merge(job.marker(), -1, Integer::sum);
            Outcome outcome = act(job);
            if (simulation.fault(0.15)) {
                simulation.note("answer lost: " + job.action() + " " + job.id() + " v" + job.taskVersion());
            } else {
                simulation.after(simulation.delayMs(1, 1_000), () -> answer.accept(outcome));
            }
        });
    }

    private Outcome act(Job job) {
        if (simulation.fault(0.05)) {
            return new Outcome.RateLimited(Duration.ofSeconds(simulation.delayMs(1, 30)));
        }
        if (simulation.fault(0.05)) {
            return new Outcome.Unknown("http_503", null);
        }
        String key = job.request().platformKey();
        boolean repeated = dedupes && key != null && keys.containsKey(key);
        if (refuses(job) && !repeated) {
            return new Outcome.Refused("http_400", null, null);
        }
        if (!repeated) {
            apply(job);
        }
        if (key != null) {
            keys.putIfAbsent(key, simulation.nowMs());
        }
        simulation.note("acted: " + job.action() + " " + job.id() + " v" + job.taskVersion());
        if (simulation.fault(0.05)) {
            return new Outcome.Unknown("http_502", null);
        }
        Post post = posts.get(job.marker());
        String id = post == null ? job.marker() : post.id;
        return job.action() == Action.WITHDRAW
                ? new Outcome.TakenBack(id, Desired.ARCHIVED)
                : new Outcome.Published(id, "https://platform.example/" + id, job.taskVersion());
    }

    /** One content in seven is refused, always the same ones. */
    private boolean refuses(Job job) {
        return job.action() != Action.WITHDRAW
                && Math.floorMod((job.id().externalId() + job.taskVersion() + simulation.seed()).hashCode(), 7) == 0;
    }

    private void apply(Job job) {
        Post post = posts.get(job.marker());
        switch (job.action()) {
            case CREATE -> {
                Simulation.require(post == null, () -> job.id() + " was posted twice");
                posts.put(job.marker(), new Post(Integer.toString(++made), job.taskVersion()));
            }
            case UPDATE -> {
                if (post != null) {
                    Simulation.require(
                            post.taskVersion <= job.taskVersion(), () -> job.id() + " went back to an older version");
                    post.taskVersion = job.taskVersion();
                    post.live = true;
                }
            }
            case WITHDRAW -> {
                if (post != null) {
                    post.live = false;
                }
            }
        }
    }

    @Override
    public LookUp ask(Job job, @Nullable Account account) {
        if (simulation.fault(0.15)) {
            return new LookUp.Inconclusive("lookup_failed", null);
        }
        Post post = posts.get(job.marker());
        if (post == null) {
            return new LookUp.Absent();
        }
        if (job.action() == Action.WITHDRAW) {
            return post.live
                    ? new LookUp.Absent()
                    : new LookUp.Settled(new Outcome.TakenBack(post.id, Desired.ARCHIVED));
        }
        return post.live && post.taskVersion == job.taskVersion()
                ? new LookUp.Settled(new Outcome.Published(post.id, null, post.taskVersion))
                : new LookUp.Absent();
    }
}
