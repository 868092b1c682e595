package dev.postonce.systemtests.faults;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;
import dev.postonce.systemtests.harness.Link;
import dev.postonce.systemtests.harness.Link.Peer;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.harness.TcpProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/** Kafka knows a client no more, or does not let it: K8 of docs/reliability/faults.md. Both pass without a restart. */
final class KafkaRefusals {

    private static final String ALL_TOPICS = "postonce.";
    private static final String ANY_HOST = "*";
    /** What Kafka's clients write, or the exceptions that they throw. */
    private static final List<String> UNKNOWN = List.of("failed authentication", "AuthenticationException");

    private static final List<String> NOT_ALLOWED = List.of("authorization failed", "AuthorizationException");
    private static final Duration SAID_WITHIN = Duration.ofSeconds(90);

    private final Cluster cluster;

    KafkaRefusals(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Passwords are withdrawn, and connections break; returns how many clients were refused. */
    long unknown() {
        List<Long> before = said(UNKNOWN);
        withdrawPasswords();
        long refused = refused(UNKNOWN, before);
        cluster.brokers().users().knowAll();
        return refused;
    }

    /** Until {@code users().knowAll()}; whose connection breaks meanwhile is refused too. */
    void withdrawPasswords() {
        cluster.brokers().users().forgetAll();
        for (Part part : ClusterPlan.PIPELINE) {
            cluster.links(new Link(part.label(), Peer.KAFKA)).forEach(TcpProxy::breakOpen);
        }
    }

    /** Rights on all topics are withdrawn; returns how many clients were refused. */
    long notAllowed() throws Exception {
        List<Long> before = said(NOT_ALLOWED);
        ResourcePattern topics = new ResourcePattern(ResourceType.TOPIC, ALL_TOPICS, PatternType.PREFIXED);
        List<AclBinding> rules = new ArrayList<>();
        for (Part part : ClusterPlan.PIPELINE) {
            rules.add(new AclBinding(
                    topics,
                    new AccessControlEntry(
                            "User:" + part.label(), ANY_HOST, AclOperation.ALL, AclPermissionType.DENY)));
        }
        try (Admin admin = cluster.brokers().admin()) {
            admin.createAcls(rules).all().get();
            long refused = refused(NOT_ALLOWED, before);
            admin.deleteAcls(List.of(AclBindingFilter.ANY)).all().get();
            return refused;
        }
    }

    /** How many clients there are, once each has said so; none before. */
    private long refused(List<String> words, List<Long> before) {
        boolean all = Patience.until(SAID_WITHIN, () -> {
            List<Long> now = said(words);
            return IntStream.range(0, now.size()).allMatch(i -> now.get(i) > before.get(i));
        });
        return all ? before.size() : 0;
    }

    /** In how many lines of each client's log. */
    private List<Long> said(List<String> words) {
        List<Long> lines = new ArrayList<>();
        for (Part part : ClusterPlan.PIPELINE) {
            ServiceNode node = cluster.service(part);
            lines.add(words.stream().mapToLong(node.process()::logged).sum());
        }
        return lines;
    }
}
