package dev.postonce.systemtests.faults;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Link;
import dev.postonce.systemtests.harness.Link.Peer;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.ServiceNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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

    private static final List<Part> CLIENTS = List.of(Part.INGEST, Part.RELAY, Part.INDEX, Part.DISPATCHER);
    private static final String ALL_TOPICS = "postonce.";
    private static final String ANY_HOST = "*";
    /** What Kafka's clients write, or the exceptions that they throw. */
    private static final List<String> UNKNOWN = List.of("failed authentication", "AuthenticationException");

    private static final List<String> NOT_ALLOWED = List.of("authorization failed", "AuthorizationException");
    private static final Duration SAID_WITHIN = Duration.ofSeconds(40);

    private final Cluster cluster;

    KafkaRefusals(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Passwords are withdrawn, and connections break; returns how many clients were refused. */
    long unknown() {
        List<Long> before = said(UNKNOWN);
        cluster.brokers().users().forgetAll();
        for (Part part : CLIENTS) {
            cluster.link(new Link(part.label(), Peer.KAFKA)).breakOpen();
        }
        long refused = refused(UNKNOWN, before);
        cluster.brokers().users().knowAll();
        return refused;
    }

    /** Rights on all topics are withdrawn; returns how many clients were refused. */
    long notAllowed() throws Exception {
        List<Long> before = said(NOT_ALLOWED);
        ResourcePattern topics = new ResourcePattern(ResourceType.TOPIC, ALL_TOPICS, PatternType.PREFIXED);
        List<AclBinding> rules = new ArrayList<>();
        for (Part part : CLIENTS) {
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

    private long refused(List<String> words, List<Long> before) {
        long[] refused = new long[1];
        Patience.until(SAID_WITHIN, () -> {
            List<Long> now = said(words);
            refused[0] = 0;
            for (int i = 0; i < now.size(); i++) {
                refused[0] += now.get(i) > before.get(i) ? 1 : 0;
            }
            return refused[0] == CLIENTS.size();
        });
        return refused[0] == CLIENTS.size() ? refused[0] : 0;
    }

    /** In how many lines of each client's log. */
    private List<Long> said(List<String> words) {
        List<Long> lines = new ArrayList<>();
        for (Part part : CLIENTS) {
            ServiceNode node = cluster.service(part);
            lines.add(words.stream().mapToLong(node.process()::logged).sum());
        }
        return lines;
    }
}
