package dev.postonce.systemtests.faults;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ClusterPlan;

/** One warm cluster for as many tests of this JVM as can use it; it ends with the JVM, or when another one is wanted. */
final class SharedCluster {

    private static final long SEED = 7;
    private static Cluster cluster;

    private SharedCluster() {}

    static Cluster get() {
        return get(ClusterPlan.named("shared", SEED));
    }

    /** The one that is up, whatever its plan. */
    static synchronized Cluster any() {
        return cluster == null ? get() : cluster;
    }

    static synchronized Cluster get(ClusterPlan plan) {
        if (cluster != null && !cluster.plan().name().equals(plan.name())) {
            end();
        }
        if (cluster == null) {
            long begin = System.nanoTime();
            cluster = Cluster.start(plan);
            System.out.println(
                    "cluster " + plan.name() + " is up after " + (System.nanoTime() - begin) / 1_000_000_000 + " s");
        }
        return cluster;
    }

    /** The next test begins with a cluster of its own. */
    static synchronized void end() {
        if (cluster != null) {
            cluster.close();
            cluster = null;
        }
    }
}
