package dev.postonce.systemtests.faults;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.ManagedProcess;
import dev.postonce.systemtests.harness.PostgresNode;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.harness.SmallDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** P7 of docs/reliability/faults.md: no room for PostgreSQL's log, or for the index. */
@Tag("faults")
class FullDiskIT {

    private static final int LOG_MIB = 700;
    private static final int INDEX_MIB = 64;
    private static final int SEGMENTS_MAX = 60;
    private static final Duration REFUSED_WITHIN = Duration.ofSeconds(90);
    private static final Duration FULL = Duration.ofSeconds(5);
    private static final String NO_SPACE = "No space left on device";

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();
    private final PostgresNode postgres = cluster.postgres();
    private final ServiceNode index = cluster.service(Part.INDEX);

    @Test
    void p7_without_room_for_the_index_or_the_log_each_stops_and_goes_on_when_there_is_room() throws Exception {
        Path indexed = cluster.home().serviceData(Instance.first(Part.INDEX));
        index.stop();
        // An earlier test may have given it another directory.
        index.environment("POSTONCE_INDEX_DIR", indexed.toString());
        postgres.stop();
        Optional<SmallDisk> forIndex = SmallDisk.under(indexed, INDEX_MIB);
        Optional<SmallDisk> forLog = SmallDisk.under(postgres.data().resolve("pg_wal"), LOG_MIB);
        postgres.start();
        index.start();
        assumeTrue(forIndex.isPresent() && forLog.isPresent(), "nothing may be mounted here");
        try {
            cluster.awaitHealthy();
            List<String> faults = List.of("p7-no-room-for-the-index", "p7-no-room-for-the-log");
            new Experiment(cluster, "p7", seed).verify(faults, workload -> {
                forIndex.get().fill();
                long index = Experiment.positive("p7, index", refusals(this.index.process()));
                forIndex.get().makeRoom();
                forLog.get().fill();
                useUpSegments();
                long log = Experiment.positive("p7, log", refusals(postgres.process()));
                forLog.get().makeRoom();
                return index + log;
            });
        } finally {
            index.stop();
            postgres.stop();
            forIndex.get().close();
            forLog.get().close();
            postgres.start();
            index.start();
            cluster.awaitHealthy();
        }
    }

    /** What was set aside before can still be written to. */
    private void useUpSegments() {
        try {
            for (int i = 0; i < SEGMENTS_MAX; i++) {
                postgres.execute("select pg_logical_emit_message(false, 'x', 'x')", "select pg_switch_wal()");
            }
        } catch (IllegalStateException e) {
            System.out.println("p7: " + e.getMessage());
        }
    }

    /** How often the system told the process so. The server panics; a new one may not come up before there is room. */
    private static long refusals(ManagedProcess process) {
        process.awaitLogged(NO_SPACE, REFUSED_WITHIN);
        Experiment.pause(FULL);
        return process.logged(NO_SPACE);
    }
}
