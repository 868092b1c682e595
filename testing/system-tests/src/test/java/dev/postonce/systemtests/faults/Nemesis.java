package dev.postonce.systemtests.faults;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Brokers;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.LinkFault;
import dev.postonce.systemtests.harness.PacketLoss;
import dev.postonce.systemtests.harness.SandboxControl;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.harness.TcpProxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * Breaks one thing after the other, drawn from a seed. Two faults may overlap: a link stays bad for a while beside what
 * comes next. What was drawn is the same for each run of a seed; when it meets the system is not.
 */
final class Nemesis {

    private static final List<Part> DOUBLED = List.of(Part.RELAY, Part.INDEX, Part.DISPATCHER);
    private static final List<LinkFault.Mode> MODES = List.of(
            LinkFault.Mode.RESET,
            LinkFault.Mode.RESET_MIDWAY,
            LinkFault.Mode.SWALLOW_ANSWERS,
            LinkFault.Mode.HOLD_REQUESTS,
            LinkFault.Mode.HOLD_ANSWERS,
            LinkFault.Mode.PARTITION);
    private final Cluster cluster;
    private final Random random;
    private final SandboxControl sandbox;
    private final List<String> points = CrashPoints.all().stream()
            .filter(point -> !Provocations.NEEDED.contains(point))
            .toList();
    private final Map<String, Long> done = new TreeMap<>();

    Nemesis(Cluster cluster, long seed) {
        this.cluster = cluster;
        this.random = new Random(seed);
        this.sandbox = new SandboxControl(cluster);
    }

    /** What was done so far, and how often. */
    Map<String, Long> done() {
        return new TreeMap<>(done);
    }

    long faults() {
        return done.values().stream().mapToLong(Long::longValue).sum();
    }

    void strikeFor(Duration time) throws SQLException {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() - end < 0) {
            strike();
            Experiment.pause(Duration.ofMillis(random.nextInt(2_500)));
        }
    }

    private void strike() throws SQLException {
        switch (random.nextInt(21)) {
            case 0, 1, 2, 3, 4 -> link();
            case 5, 6 -> kill();
            case 7, 8, 9, 10 -> failPoint();
            case 11, 12 -> freeze();
            case 13 -> restart();
            case 14 -> postgres();
            case 15 -> broker();
            case 16 -> sessions();
            case 17 -> platforms();
            case 18 -> second();
            case 19 -> passwords();
            default -> locks();
        }
    }

    private void link() {
        List<TcpProxy> proxies = cluster.links(draw(NetworkFaults.LINKS));
        if (random.nextInt(9) == 0 && PacketLoss.isPossible()) {
            loss(proxies);
            return;
        }
        LinkFault fault =
                switch (random.nextInt(8)) {
                    case 0 -> LinkFault.delay(50, 2_000);
                    case 1 -> LinkFault.bandwidth(20_000);
                    default -> LinkFault.of(draw(MODES));
                };
        note("link-" + fault);
        proxies.forEach(proxy -> proxy.fault(fault));
        Experiment.pause(Duration.ofMillis(300 + random.nextInt(7_000)));
        // Some stay bad beside what comes next, until the round's end.
        if (random.nextInt(4) > 0) {
            proxies.forEach(TcpProxy::heal);
        }
    }

    private void loss(List<TcpProxy> proxies) {
        int percent = 1 + random.nextInt(20);
        Duration time = Duration.ofMillis(300 + random.nextInt(7_000));
        note("loss");
        try (PacketLoss loss = PacketLoss.on(proxies, percent)) {
            Experiment.pause(time);
        }
    }

    private void kill() {
        ServiceNode node = cluster.service(draw(ClusterPlan.PIPELINE));
        note("kill-" + node.name());
        node.kill();
    }

    private void failPoint() {
        String point = draw(points);
        String action =
                switch (random.nextInt(4)) {
                    case 0 -> "1*throw(planted)";
                    case 1 -> "1*sleep(" + (500 + random.nextInt(6_000)) + ")";
                    default -> "halt(137)";
                };
        int skipped = random.nextInt(6);
        note("point-" + action.replaceAll("[^a-z]", "").replace("planted", ""));
        cluster.service(CrashPoints.serviceOf(point))
                .failPoints()
                .arm(point + "=" + (skipped == 0 ? "" : skipped + "*off->") + action);
    }

    private void freeze() {
        ServiceNode node = cluster.service(draw(ClusterPlan.PIPELINE));
        if (node.process().isAlive()) {
            note("freeze-" + node.name());
            node.process().freeze();
            Experiment.pause(Duration.ofMillis(200 + random.nextInt(9_000)));
            node.process().thaw();
        }
    }

    private void restart() {
        ServiceNode node = cluster.service(draw(ClusterPlan.PIPELINE));
        note("restart-" + node.name());
        node.restart();
    }

    private void postgres() {
        note("kill-postgres");
        cluster.postgres().kill();
        Experiment.pause(Duration.ofMillis(random.nextInt(2_000)));
        cluster.postgres().start();
    }

    private void broker() {
        note("kill-kafka");
        Brokers.Broker broker = cluster.brokers().node(1);
        broker.kill();
        Experiment.pause(Duration.ofMillis(random.nextInt(4_000)));
        broker.start();
    }

    private void sessions() {
        note("terminate-backends");
        cluster.postgres()
                .execute("select pg_terminate_backend(pid) from pg_stat_activity where usename like 'postonce%'"
                        + " and application_name <> 'postonce-harness'");
    }

    private void platforms() {
        note("platforms");
        String faults = String.format(
                Locale.ROOT,
                "{\"swallow_rate\":%.2f,\"drop_rate\":%.2f,\"status_429_rate\":%.2f,\"status_5xx_rate\":%.2f,"
                        + "\"delay_rate\":%.2f,\"delay_ms\":%d,\"on\":\"%s\"}",
                random.nextDouble() * 0.3,
                random.nextDouble() * 0.2,
                random.nextDouble() * 0.2,
                random.nextDouble() * 0.2,
                random.nextDouble() * 0.2,
                500 + random.nextInt(5_000),
                random.nextBoolean() ? "all" : "writes");
        sandbox.faults(
                random.nextInt(1_000_000),
                "{\"wordpress\":" + faults + ",\"webhook\":" + faults + ",\"callbacks\":" + faults + "}");
    }

    private void second() {
        ServiceNode node = cluster.service(Instance.second(draw(DOUBLED)));
        if (node.isWanted()) {
            note("kill-" + node.name());
            node.killAndHold();
        } else {
            note("start-" + node.name());
            node.start();
        }
    }

    /** Kafka knows nobody for a while. */
    private void passwords() {
        note("kafka-knows-nobody");
        new KafkaRefusals(cluster).withdrawPasswords();
        Experiment.pause(Duration.ofMillis(500 + random.nextInt(6_000)));
        cluster.brokers().users().knowAll();
    }

    private void locks() throws SQLException {
        note("locks");
        try (Connection connection = cluster.postgres().connect("postgres");
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set lock_timeout = '2s'");
            statement.execute("lock table "
                    + draw(List.of("ingest.task", "dispatch.target", "\"index\".entry", "ingest.callback"))
                    + " in exclusive mode");
            Experiment.pause(Duration.ofMillis(random.nextInt(5_000)));
            connection.rollback();
        } catch (SQLException e) {
            // The database may be away, or somebody else may hold the table.
            note("locks-refused");
        }
    }

    private <T> T draw(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private void note(String what) {
        done.merge(what, 1L, Long::sum);
    }
}
