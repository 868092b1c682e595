package dev.postonce.systemtests.harness;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a cluster consists of.
 *
 * @param services in the order of their start
 * @param later those that a test starts by itself
 * @param jvmOptions of every service
 */
public record ClusterPlan(
        String name,
        long seed,
        int brokers,
        List<Instance> services,
        Set<Instance> later,
        Map<String, String> postgresSettings,
        List<String> jvmOptions) {

    /** The services of the pipeline; the sandbox stands outside of it. */
    public static final List<Part> PIPELINE = List.of(Part.INGEST, Part.RELAY, Part.INDEX, Part.DISPATCHER);

    /** One of each service, and a second relay, index-consumer and dispatcher that a test may start. */
    public static ClusterPlan named(String name, long seed) {
        List<Instance> services = new ArrayList<>();
        services.add(Instance.first(Part.SANDBOX));
        PIPELINE.forEach(part -> services.add(Instance.first(part)));
        Set<Instance> seconds =
                Set.of(Instance.second(Part.RELAY), Instance.second(Part.INDEX), Instance.second(Part.DISPATCHER));
        services.addAll(seconds);
        return new ClusterPlan(name, seed, 1, services, seconds, Map.of(), List.of());
    }

    public ClusterPlan withBrokers(int count) {
        return new ClusterPlan(name, seed, count, services, later, postgresSettings, jvmOptions);
    }

    public ClusterPlan withPostgres(Map<String, String> settings) {
        return new ClusterPlan(name, seed, brokers, services, later, settings, jvmOptions);
    }

    /** For bugs that a test plants into the services: agents, scripts, switches. */
    public ClusterPlan withJvmOptions(List<String> options) {
        return new ClusterPlan(name, seed, brokers, services, later, postgresSettings, options);
    }

    /** Whether it runs from the start. */
    boolean runs(String name) {
        return services.stream().anyMatch(service -> service.name().equals(name) && !later.contains(service));
    }

    /** The clients of Kafka. */
    List<String> clients() {
        return services.stream()
                .filter(service -> service.part() != Part.SANDBOX)
                .map(Instance::name)
                .toList();
    }
}
