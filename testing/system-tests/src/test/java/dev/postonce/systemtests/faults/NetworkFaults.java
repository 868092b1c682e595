package dev.postonce.systemtests.faults;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Link;
import dev.postonce.systemtests.harness.Link.Peer;
import dev.postonce.systemtests.harness.LinkFault;
import dev.postonce.systemtests.harness.LinkFault.Mode;
import dev.postonce.systemtests.harness.PacketLoss;
import dev.postonce.systemtests.harness.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Faults of the ways between the processes: N1 to N6 of docs/reliability/faults.md. They spare whoever is beside them. */
final class NetworkFaults {

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

    private static final List<String> BY_PROXIES = List.of(
            "n1-reset",
            "n1-reset-midway",
            "n2-swallow-answers",
            "n3-delay",
            "n3-drip",
            "n3-half-open",
            "n6-bandwidth",
            "n4-partition",
            "n4-one-way",
            "n4-partition-database");
    private static final int LOSS_PERCENT = 15;
    private static final int TRIES_MAX = 8;

    private final Cluster cluster;

    NetworkFaults(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Packets are lost where the kernel's filter may be changed. */
    static List<String> names() {
        List<String> names = new ArrayList<>(BY_PROXIES);
        if (PacketLoss.isPossible()) {
            names.add("n5-packet-loss");
        }
        return names;
    }

    /** One after the other; returns how many connections suffered. */
    long all() {
        return Experiment.positive("n1", harmedBy(this::resets))
                + Experiment.positive("n2", harmedBy(this::lostAnswers))
                + Experiment.positive("n3 and n6", harmedBy(this::slowness))
                + (PacketLoss.isPossible() ? Experiment.positive("n5", lostPackets()) : 0)
                + Experiment.positive("n4, Kafka", harmedBy(this::withoutKafka))
                + Experiment.positive("n4, PostgreSQL", harmedBy(this::withoutDatabase));
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

    private long lostPackets() {
        try (PacketLoss loss = PacketLoss.on(proxies(LINKS), LOSS_PERCENT)) {
            for (int i = 0; i < TRIES_MAX && loss.lost() == 0; i++) {
                Experiment.pause(PAST_TIMEOUTS);
            }
            return loss.lost();
        }
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

    /** Where services die beside it, nobody may be there to suffer for as long as their starts take. */
    private long harmedBy(Runnable kind) {
        long before = harmed();
        for (int i = 0; i < TRIES_MAX && harmed() == before; i++) {
            kind.run();
        }
        return harmed() - before;
    }

    private void apply(LinkFault fault, List<Link> links, Duration time) {
        List<TcpProxy> proxies = proxies(links);
        proxies.forEach(proxy -> proxy.fault(fault));
        Experiment.pause(time);
        proxies.forEach(TcpProxy::heal);
    }

    private List<TcpProxy> proxies(List<Link> links) {
        return links.stream().flatMap(link -> cluster.links(link).stream()).toList();
    }

    private long harmed() {
        return proxies(LINKS).stream().mapToLong(TcpProxy::harmed).sum();
    }
}
