package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.SandboxControl;
import dev.postonce.systemtests.harness.ServiceNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.stream.Collectors;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Each named point between two steps, in the whole pipeline and under load: the process halts there, while links and
 * sessions break; an exception is thrown there; a process stands there until its lease, claim or session is another's,
 * and then goes on. Services go through their points side by side; one that died is started again at once.
 */
@Tag("faults")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class CrashMatrixIT {

    /** Each service's halts starve those behind it: a relay that dies again and again publishes little. */
    private static final Duration HIT_WITHIN = Duration.ofSeconds(300);

    private static final String HALT = "halt(137)";
    private static final String NEEDS_NO_EVENT = "index.replica-after-seed-page";
    private static final String ENTRIES = "select count(*) from \"index\".entry";
    private static final Duration HEALTHY_WITHIN = Duration.ofSeconds(240);
    /** Longer than the relay's claim, the dispatcher's lease and the consumers' sessions in this cluster. */
    private static final Duration PAST_LEASE = Duration.ofSeconds(9);
    /** Platforms lose a part of their answers, so that there is something to look up. */
    private static final String LOSSY = "{\"wordpress\":{\"swallow_rate\":0.2},\"webhook\":{\"swallow_rate\":0.1}}";

    /** What another process takes over while the first stands at the point. */
    private static final List<String> PAUSES = List.of(
            "relay.after-claim-before-send",
            "relay.after-acks-before-mark",
            "relay.after-mark-before-commit",
            "index.after-decode-before-write",
            "index.after-durable-before-offset-commit",
            "dispatch.after-poll-before-attempt-row",
            "dispatch.after-attempt-row-before-http",
            "dispatch.lease-expired-during-slow-platform",
            "dispatch.after-lookup-before-reconcile-commit");

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final Provocations provocations = new Provocations(cluster);

    @Test
    @Order(1)
    void halts_at_every_point_beside_a_broken_network_and_database_lose_and_double_nothing() throws Exception {
        Map<String, Long> before = acted("halt");
        List<String> faults = new ArrayList<>(List.of("halt-at-each-point"));
        faults.addAll(NetworkFaults.names());
        faults.addAll(SessionFaults.NAMES);
        new Experiment(cluster, "halt", seed).verify(faults, workload -> {
            new SandboxControl(cluster).faults(seed, LOSSY);
            assertThat(Patience.until(HIT_WITHIN, () -> cluster.postgres().number(ENTRIES) > 0))
                    .as("there is something to seed a replica with")
                    .isTrue();
            // What dies meanwhile meets broken links and a database that is away, when it comes up too.
            FutureTask<Long> beside =
                    new FutureTask<>(() -> new NetworkFaults(cluster).all() + new SessionFaults(cluster).all());
            new Thread(beside, "beside").start();
            List<String> points = new ArrayList<>(CrashPoints.all());
            // What has to be provoked is provoked where nothing else is in the way any more. Before that, a relay that
            // dies again and again publishes little, and the index can pass by what needs no event.
            points.sort(Comparator.comparing(
                    point -> point.equals(NEEDS_NO_EVENT) ? 0 : Provocations.NEEDED.contains(point) ? 2 : 1));
            eachService(points, this::haltAtEachOf);
            provocations.forget();
            return result(beside) + difference(acted("halt"), before);
        });
        TreeSet<String> never = new TreeSet<>(CrashPoints.all());
        never.removeAll(acted("halt").keySet());
        assertThat(never).as("points at which no process ever halted").isEmpty();
    }

    @Test
    @Order(2)
    void an_exception_at_any_point_loses_and_doubles_nothing() throws Exception {
        Map<String, Long> before = acted("throw");
        new Experiment(cluster, "throw", seed + 1).verify(List.of("throw-at-each-point"), workload -> {
            new SandboxControl(cluster).faults(seed + 1, LOSSY);
            eachService(CrashPoints.all(), this::throwAtAllOf);
            provocations.forget();
            return difference(acted("throw"), before);
        });
        TreeSet<String> never = new TreeSet<>(CrashPoints.all());
        never.removeAll(acted("throw").keySet());
        assertThat(never).as("points at which nothing was ever thrown").isEmpty();
    }

    @Test
    @Order(3)
    void a_process_that_stands_past_its_lease_and_wakes_does_no_harm() throws Exception {
        new Experiment(cluster, "pause", seed + 2).verify(List.of("pause-past-lease"), workload -> {
            for (Part part : List.of(Part.RELAY, Part.INDEX, Part.DISPATCHER)) {
                cluster.service(Instance.second(part)).start();
            }
            for (Part part : List.of(Part.RELAY, Part.INDEX, Part.DISPATCHER)) {
                cluster.service(Instance.second(part)).awaitHealthy(HEALTHY_WITHIN);
            }
            new SandboxControl(cluster).faults(seed + 2, LOSSY);
            eachService(PAUSES, (own, random) -> own.forEach(point -> standPastLease(point, random)));
            return PAUSES.size();
        });
    }

    private interface AtPoints {
        void go(List<String> points, Random random);
    }

    /** Services side by side. */
    private void eachService(List<String> points, AtPoints steps) {
        Map<Part, List<String>> byService = new LinkedHashMap<>();
        points.forEach(point -> byService
                .computeIfAbsent(CrashPoints.serviceOf(point), part -> new ArrayList<>())
                .add(point));
        List<CompletableFuture<Void>> services = new ArrayList<>();
        byService.forEach((part, own) -> services.add(CompletableFuture.runAsync(
                () -> steps.go(own, new Random(seed + part.ordinal())),
                work -> new Thread(work, "matrix-" + part.label()).start())));
        services.forEach(CrashMatrixIT::result);
    }

    /** What it threw is what the test reports, and not that something was thrown. */
    private static <T> T result(Future<T> work) {
        try {
            return work.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof AssertionError failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void haltAtEachOf(List<String> points, Random random) {
        boolean provoked = false;
        for (int i = 0; i < points.size(); i++) {
            String point = points.get(i);
            ServiceNode node = cluster.service(CrashPoints.serviceOf(point));
            // A death at one point can be the start that comes to the next.
            boolean startsTheNext = i + 1 < points.size() && Provocations.isAtStart(points.get(i + 1));
            if (startsTheNext) {
                provocations.provokeByNextStart(points.get(i + 1), HALT);
            }
            int starts = node.process().starts();
            dieAt(node, point, hit(point, random) + HALT, provoked);
            assertThat(Patience.until(HEALTHY_WITHIN, () -> node.process().starts() > starts))
                    .as(node.name() + " was started again")
                    .isTrue();
            provoked = startsTheNext;
        }
    }

    /** @param provoked whether it is on its way to the point already, by a start that is armed */
    private void dieAt(ServiceNode node, String point, String actions, boolean provoked) {
        long end = System.nanoTime() + HIT_WITHIN.toNanos();
        if (provoked) {
            Patience.until(HIT_WITHIN, () -> hasHalted(node, point) || node.isHealthy());
        }
        // What dies of something else on the way, such as a database that is away, comes up unarmed and is armed again.
        while (!hasHalted(node, point) && System.nanoTime() - end < 0) {
            node.awaitHealthy(HEALTHY_WITHIN);
            int starts = node.process().starts() + (Provocations.isAtStart(point) ? 1 : 0);
            provocations.provoke(point, actions);
            Patience.until(
                    HIT_WITHIN,
                    () -> hasHalted(node, point) || node.process().starts() > starts || System.nanoTime() - end >= 0);
        }
        assertThat(hasHalted(node, point)).as(point + " was reached").isTrue();
    }

    private static boolean hasHalted(ServiceNode node, String point) {
        return node.failPoints().acted(point, "halt") > 0;
    }

    /** All of a service's points can wait side by side, since nothing dies of an exception. */
    private void throwAtAllOf(List<String> points, Random random) {
        ServiceNode node = cluster.service(CrashPoints.serviceOf(points.get(0)));
        node.awaitHealthy(HEALTHY_WITHIN);
        Map<String, Long> before = node.failPoints().acted();
        provocations.arm(
                node.part(),
                points.stream()
                        .map(point -> point + "=" + hit(point, random) + "1*throw(planted)")
                        .collect(Collectors.joining(";")));
        // While partitions come and go a service may pass no other point.
        List<String> last =
                points.stream().filter(Provocations.WHILE_RUNNING::contains).toList();
        awaitThrown(node, points.stream().filter(point -> !last.contains(point)).toList(), before);
        // What another exception has led to by now need not be provoked.
        last.stream()
                .filter(point -> !thrown(node, point, before))
                .forEach(point -> provocations.provokeRunning(node, point));
        awaitThrown(node, last, before);
        node.failPoints().disarm();
    }

    private static void awaitThrown(ServiceNode node, List<String> points, Map<String, Long> before) {
        Patience.until(HIT_WITHIN, () -> points.stream().allMatch(point -> thrown(node, point, before)));
        assertThat(points)
                .as("points at which " + node.name() + " throws")
                .allMatch(point -> thrown(node, point, before));
    }

    private static boolean thrown(ServiceNode node, String point, Map<String, Long> before) {
        return node.failPoints().acted(point, "throw") > before.getOrDefault(point + " throw", 0L);
    }

    /**
     * The whole process stands, not one thread of it: a lease that is kept alive by another thread would not pass on.
     * Either of the two instances may be the one that works.
     */
    private void standPastLease(String point, Random random) {
        Part part = CrashPoints.serviceOf(point);
        Path go = cluster.home().run().resolve(point + "-" + random.nextInt(1_000_000));
        List<ServiceNode> both = List.of(cluster.service(part), cluster.service(Instance.second(part)));
        List<Long> acted = new ArrayList<>();
        for (ServiceNode node : both) {
            node.awaitHealthy(HEALTHY_WITHIN);
            acted.add(node.failPoints().acted(point, "pause"));
            node.failPoints().arm(point + "=1*pause(" + go + ")");
        }
        assertThat(Patience.until(HIT_WITHIN, () -> standing(both, point, acted) >= 0))
                .as(point + " was reached")
                .isTrue();
        int standing = standing(both, point, acted);
        both.get(1 - standing).failPoints().disarm();
        both.get(standing).process().freeze();
        Experiment.pause(PAST_LEASE);
        try {
            Files.writeString(go, "go");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        both.get(standing).process().thaw();
        both.get(standing).failPoints().disarm();
    }

    private static int standing(List<ServiceNode> both, String point, List<Long> acted) {
        for (int i = 0; i < both.size(); i++) {
            if (both.get(i).failPoints().acted(point, "pause") > acted.get(i)) {
                return i;
            }
        }
        return -1;
    }

    /** The first hit, or a later one, which may lie in the middle of a batch; rare points are taken as they come. */
    private static String hit(String point, Random random) {
        boolean often = point.matches("ingest\\.(after-validate|two-same|after-commit|after-target|after-callback).*"
                + "|relay\\.after-(claim|send|some|acks|mark|commit).*"
                + "|dispatch\\.after-(poll|attempt|2xx).*");
        int skipped = often ? random.nextInt(3) : 0;
        return skipped == 0 ? "" : skipped + "*off->";
    }

    private Map<String, Long> acted(String action) {
        Map<String, Long> acted = new LinkedHashMap<>();
        for (ServiceNode node : cluster.services()) {
            node.failPoints().acted().forEach((line, count) -> {
                if (line.endsWith(" " + action)) {
                    acted.merge(line.substring(0, line.indexOf(' ')), count, Long::sum);
                }
            });
        }
        return acted;
    }

    private static long difference(Map<String, Long> after, Map<String, Long> before) {
        return after.values().stream().mapToLong(Long::longValue).sum()
                - before.values().stream().mapToLong(Long::longValue).sum();
    }
}
