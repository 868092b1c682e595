package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Link;
import dev.postonce.systemtests.harness.Link.Peer;
import dev.postonce.systemtests.harness.LinkFault;
import dev.postonce.systemtests.harness.LinkFault.Mode;
import dev.postonce.systemtests.harness.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Faults of the ways between the processes: N1 to N4 and N6 of docs/reliability/faults.md. */
@Tag("faults")
class NetworkFaultsIT {

    private static final Duration A_MOMENT = Duration.ofMillis(700);
    /** Longer than the relay's delivery time-out, the consumers' sessions and the dispatcher's time-out. */
    private static final Duration PAST_TIMEOUTS = Duration.ofSeconds(8);

    static final List<Link> LINKS = List.of(
            Link.UPSTREAM,
            new Link("ingest", Peer.POSTGRES),
            new Link("ingest", Peer.KAFKA),
            new Link("ingest", Peer.CALLBACKS),
            new Link("relay", Peer.POSTGRES),
            new Link("relay", Peer.KAFKA),
            new Link("index", Peer.POSTGRES),
            new Link("index", Peer.KAFKA),
            new Link("dispatcher", Peer.POSTGRES),
            new Link("dispatcher", Peer.KAFKA),
            new Link("dispatcher", Peer.PLATFORMS));

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();

    @Test
    void n1_n2_n3_n6_connections_that_break_lose_answers_and_are_slow() throws Exception {
        List<String> faults = List.of(
                "n1-reset",
                "n1-reset-midway",
                "n2-swallow-answers",
                "n3-delay",
                "n3-drip",
                "n3-half-open",
                "n6-bandwidth");
        new Experiment(cluster, "n1", seed)
                .verify(faults, workload -> hits(this::resets) + hits(this::lostAnswers) + hits(this::slowness));
    }

    @Test
    void n4_partitions_one_way_and_both_between_services_and_kafka_and_the_database() throws Exception {
        List<String> faults = List.of("n4-partition", "n4-one-way", "n4-partition-database");
        new Experiment(cluster, "n4", seed)
                .verify(faults, workload -> hits(this::withoutKafka) + hits(this::withoutDatabase));
    }

    private void resets() {
        for (Link link : LINKS) {
            apply(LinkFault.of(Mode.RESET), List.of(link), A_MOMENT);
        }
        apply(LinkFault.of(Mode.RESET_MIDWAY), LINKS, Duration.ofSeconds(4));
    }

    private void lostAnswers() {
        for (Link link : LINKS) {
            apply(LinkFault.of(Mode.SWALLOW_ANSWERS), List.of(link), Duration.ofMillis(900));
        }
    }

    private void slowness() {
        apply(LinkFault.delay(200, 2_000), LINKS, Duration.ofSeconds(5));
        apply(LinkFault.bandwidth(2_000), List.of(Link.UPSTREAM), Duration.ofSeconds(3));
        apply(
                LinkFault.of(Mode.PARTITION),
                List.of(new Link("dispatcher", Peer.PLATFORMS), new Link("ingest", Peer.CALLBACKS)),
                Duration.ofSeconds(4));
        List<Link> servers = new ArrayList<>(links(Peer.KAFKA));
        servers.addAll(links(Peer.POSTGRES));
        apply(LinkFault.bandwidth(60_000), servers, Duration.ofSeconds(5));
    }

    private void withoutKafka() {
        apply(LinkFault.of(Mode.PARTITION), links(Peer.KAFKA), PAST_TIMEOUTS);
        apply(LinkFault.of(Mode.HOLD_ANSWERS), List.of(new Link("relay", Peer.KAFKA)), PAST_TIMEOUTS);
        apply(LinkFault.of(Mode.HOLD_REQUESTS), List.of(new Link("relay", Peer.KAFKA)), Duration.ofSeconds(3));
    }

    private void withoutDatabase() {
        apply(LinkFault.of(Mode.PARTITION), links(Peer.POSTGRES), PAST_TIMEOUTS);
    }

    private static List<Link> links(Peer peer) {
        return LINKS.stream().filter(link -> link.peer() == peer).toList();
    }

    /** Each kind has to have touched something. */
    private long hits(Runnable kind) {
        long before = harmed();
        kind.run();
        long hits = harmed() - before;
        assertThat(hits).isPositive();
        return hits;
    }

    private void apply(LinkFault fault, List<Link> links, Duration time) {
        List<TcpProxy> proxies = new ArrayList<>();
        links.forEach(link -> proxies.addAll(cluster.links(link)));
        proxies.forEach(proxy -> proxy.fault(fault));
        Experiment.pause(time);
        proxies.forEach(TcpProxy::heal);
    }

    private long harmed() {
        return LINKS.stream()
                .flatMap(link -> cluster.links(link).stream())
                .mapToLong(TcpProxy::harmed)
                .sum();
    }

    static List<Part> services() {
        return List.of(Part.INGEST, Part.RELAY, Part.INDEX, Part.DISPATCHER);
    }
}
