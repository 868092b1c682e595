package dev.postonce.systemtests.harness;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import java.util.HashMap;
import java.util.Map;

/** The documented variables of one service, with times short enough that a test sees what follows them. */
final class ServiceSettings {

    private static final Map<String, String> INGEST = Map.of(
            "POSTONCE_CALLBACK_SCHEDULE", "0s,1s,2s,2s,3s,3s,4s,4s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s,5s",
            "POSTONCE_CALLBACK_TIMEOUT", "3s",
            "POSTONCE_CALLBACK_LEASE", "9s",
            "POSTONCE_CALLBACK_POLL", "500ms");

    private static final Map<String, String> RELAY = Map.of(
            "POSTONCE_RELAY_CLAIM_TTL", "3s",
            "POSTONCE_RELAY_CHECK_EVERY", "1s",
            "POSTONCE_RELAY_DELIVERY_TIMEOUT", "5s");

    private static final Map<String, String> DISPATCHER = Map.ofEntries(
            Map.entry("POSTONCE_DISPATCH_TIMEOUT_MS", "3000"),
            Map.entry("POSTONCE_DISPATCH_SETTLING_MS", "3500"),
            Map.entry("POSTONCE_DISPATCH_ASK_FIRST_MS", "300"),
            Map.entry("POSTONCE_DISPATCH_REASK_MS", "2000"),
            Map.entry("POSTONCE_DISPATCH_RETRY_MIN_MS", "200"),
            Map.entry("POSTONCE_DISPATCH_RETRY_MAX_MS", "2000"),
            Map.entry("POSTONCE_DISPATCH_LEASE_MS", "6000"),
            Map.entry("POSTONCE_DISPATCH_HEARTBEAT_MS", "1000"),
            Map.entry("POSTONCE_DISPATCH_STALE_MS", "4000"),
            Map.entry("POSTONCE_DISPATCH_POLL_MS", "200"));

    private final Cluster cluster;
    private final Instance instance;

    ServiceSettings(Cluster cluster, Instance instance) {
        this.cluster = cluster;
        this.instance = instance;
    }

    Map<String, String> variables() {
        Part part = instance.part();
        Map<String, String> variables = new HashMap<>();
        variables.put("POSTONCE_HTTP_ADDRESS", "127.0.0.1");
        variables.put("POSTONCE_HTTP_PORT", Integer.toString(cluster.portOf(instance)));
        variables.put("POSTONCE_ALLOW_LOOPBACK", "true");
        variables.put("MANAGEMENT_ENDPOINT_HEALTH_SHOWDETAILS", "always");
        variables.put("POSTONCE_LOG_FORMAT", "text");
        variables.put("MALLOC_ARENA_MAX", "2");
        if (part != Part.SANDBOX) {
            variables.put("POSTONCE_KAFKA_BOOTSTRAP", cluster.brokers().bootstrap(instance.name()));
            variables.put(
                    "POSTONCE_KAFKA_CLIENT_CONFIG",
                    cluster.brokers()
                            .users()
                            .clientConfig(instance.name())
                            .toAbsolutePath()
                            .toString());
            variables.put("POSTONCE_DB_URL", "jdbc:postgresql://127.0.0.1:" + proxy(Link.Peer.POSTGRES) + "/postonce");
            // The broker's least, so that a killed or paused instance loses its partitions soon.
            variables.put("POSTONCE_KAFKA_SESSION_MS", "6000");
            variables.put(
                    "POSTONCE_DB_PASSWORD", cluster.tenants().databasePassword().reveal());
        }
        switch (part) {
            case INGEST -> {
                variables.putAll(cluster.tenants().ingest());
                variables.putAll(INGEST);
            }
            case RELAY -> variables.putAll(RELAY);
            case INDEX -> {
                variables.putAll(cluster.tenants().index());
                variables.put(
                        "POSTONCE_INDEX_DIR",
                        cluster.home().serviceData(instance).toString());
            }
            case DISPATCHER -> {
                variables.putAll(cluster.tenants().dispatcher("http://127.0.0.1:" + proxy(Link.Peer.PLATFORMS)));
                variables.putAll(DISPATCHER);
            }
            case SANDBOX -> {
                variables.putAll(cluster.tenants().sandbox());
                variables.put(
                        "POSTONCE_SANDBOX_DIR",
                        cluster.home().serviceData(instance).toString());
                variables.put("POSTONCE_SANDBOX_ALLOW_RESET", "true");
                variables.put("POSTONCE_SANDBOX_PUBLIC_URL", "http://127.0.0.1:" + cluster.portOf(instance));
            }
            case POSTGRES, KAFKA -> throw new IllegalArgumentException(part + " is not a service");
        }
        return variables;
    }

    private int proxy(Link.Peer peer) {
        return cluster.link(new Link(instance.name(), peer)).port();
    }
}
