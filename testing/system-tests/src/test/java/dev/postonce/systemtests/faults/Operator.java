package dev.postonce.systemtests.faults;

import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ServiceNode;
import java.time.Duration;

/** What a runbook asks of a person. */
final class Operator {

    private static final Duration HEALTHY_WITHIN = Duration.ofSeconds(180);

    private Operator() {}

    /** Lets the relay begin anew from both outboxes; it obeys each label once. Returns once it is healthy. */
    static void rebaseline(Cluster cluster, String label) {
        ServiceNode relay = cluster.service(Part.RELAY);
        relay.environment("POSTONCE_RELAY_REBASELINE", "ingest@" + label + ",dispatch@" + label);
        relay.restart();
        relay.awaitHealthy(HEALTHY_WITHIN);
    }
}
