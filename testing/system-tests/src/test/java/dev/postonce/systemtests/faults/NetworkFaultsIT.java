package dev.postonce.systemtests.faults;

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
    void n1_connections_refused_and_reset_in_the_middle() throws Exception {
        new Experiment(cluster, "n1", seed).verify(List.of("n1-reset", "n1-reset-midway"), workload -> {
            long before = harmed();
            for (Link link : LINKS) {
                apply(LinkFault.of(Mode.RESET), List.of(link), A_MOMENT);
            }
            apply(LinkFault.of(Mode.RESET_MIDWAY), LINKS, Duration.ofSeconds(5));
            return harmed() - before;
        });
    }

    @Test
    void n2_answers_lost_after_the_server_acted() throws Exception {
        new Experiment(cluster, "n2", seed).verify(List.of("n2-swallow-answers"), workload -> {
            long before = harmed();
            for (Link link : LINKS) {
                apply(LinkFault.of(Mode.SWALLOW_ANSWERS), List.of(link), Duration.ofMillis(1200));
            }
            return harmed() - before;
        });
    }

    @Test
    void n3_delays_slow_drip_and_servers_that_take_connections_and_never_answer() throws Exception {
        new Experiment(cluster, "n3", seed).verify(List.of("n3-delay", "n3-drip", "n3-half-open"), workload -> {
            long before = harmed();
            apply(LinkFault.delay(200, 2_000), LINKS, Duration.ofSeconds(6));
            apply(LinkFault.bandwidth(2_000), List.of(Link.UPSTREAM), Duration.ofSeconds(4));
            apply(
                    LinkFault.of(Mode.PARTITION),
                    List.of(new Link("dispatcher", Peer.PLATFORMS), new Link("ingest", Peer.CALLBACKS)),
                    Duration.ofSeconds(5));
            return harmed() - before;
        });
    }

    @Test
    void n4_partitions_one_way_and_both_between_services_and_kafka() throws Exception {
        List<Link> kafka =
                LINKS.stream().filter(link -> link.peer() == Peer.KAFKA).toList();
        new Experiment(cluster, "n4", seed).verify(List.of("n4-partition", "n4-one-way"), workload -> {
            long before = harmed();
            apply(LinkFault.of(Mode.PARTITION), kafka, PAST_TIMEOUTS);
            apply(LinkFault.of(Mode.HOLD_ANSWERS), List.of(new Link("relay", Peer.KAFKA)), PAST_TIMEOUTS);
            apply(LinkFault.of(Mode.HOLD_REQUESTS), List.of(new Link("relay", Peer.KAFKA)), Duration.ofSeconds(3));
            return harmed() - before;
        });
    }

    @Test
    void n4_partitions_between_services_and_the_database() throws Exception {
        List<Link> database =
                LINKS.stream().filter(link -> link.peer() == Peer.POSTGRES).toList();
        new Experiment(cluster, "n4db", seed).verify(List.of("n4-partition-database"), workload -> {
            long before = harmed();
            apply(LinkFault.of(Mode.PARTITION), database, PAST_TIMEOUTS);
            return harmed() - before;
        });
    }

    @Test
    void n6_little_bandwidth() throws Exception {
        List<Link> narrow = LINKS.stream()
                .filter(link -> link.peer() == Peer.KAFKA || link.peer() == Peer.POSTGRES)
                .toList();
        new Experiment(cluster, "n6", seed).verify(List.of("n6-bandwidth"), workload -> {
            long before = harmed();
            apply(LinkFault.bandwidth(60_000), narrow, Duration.ofSeconds(7));
            return harmed() - before;
        });
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
