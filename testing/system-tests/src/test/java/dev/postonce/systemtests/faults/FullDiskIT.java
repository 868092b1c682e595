package dev.postonce.systemtests.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.PostgresNode;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.harness.SmallDisk;
import java.io.IOException;
import java.nio.file.Files;
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
    private static final Duration FULL = Duration.ofSeconds(6);

    private final long seed = Long.getLong("postonce.faults.seed", 1111);
    private final Cluster cluster = SharedCluster.get();

    @Test
    void p7_without_room_for_the_log_the_database_stops_and_goes_on_when_there_is_room() throws Exception {
        PostgresNode postgres = cluster.postgres();
        postgres.stop();
        Optional<SmallDisk> disk = SmallDisk.under(postgres.data().resolve("pg_wal"), LOG_MIB);
        postgres.start();
        assumeTrue(disk.isPresent(), "nothing may be mounted here");
        try {
            new Experiment(cluster, "p7", seed).verify(List.of("p7-no-room-for-the-log"), workload -> {
                long ballast = disk.get().fill();
                useUpSegments(postgres);
                Experiment.pause(FULL);
                disk.get().makeRoom();
                return ballast > 0 && stopped(postgres) ? 1 : 0;
            });
        } finally {
            postgres.stop();
            disk.get().close();
            postgres.start();
            cluster.awaitHealthy();
        }
    }

    /** What was set aside before can still be written to. */
    private static void useUpSegments(PostgresNode postgres) {
        try {
            for (int i = 0; i < SEGMENTS_MAX; i++) {
                postgres.execute("select pg_logical_emit_message(false, 'x', 'x')", "select pg_switch_wal()");
            }
        } catch (IllegalStateException e) {
            System.out.println("p7: " + e.getMessage());
        }
    }

    /** The server panics; a new one may not come up before there is room. */
    private static boolean stopped(PostgresNode postgres) throws IOException {
        return Files.readString(postgres.process().log()).contains("No space left on device");
    }

    @Test
    void p7_without_room_for_the_index_the_rest_goes_on_and_the_index_catches_up() throws Exception {
        ServiceNode index = cluster.service(Part.INDEX);
        index.stop();
        index.environment(
                "POSTONCE_INDEX_DIR",
                cluster.home().serviceData(Instance.first(Part.INDEX)).toString());
        Optional<SmallDisk> disk = SmallDisk.under(cluster.home().serviceData(Instance.first(Part.INDEX)), INDEX_MIB);
        index.start();
        assumeTrue(disk.isPresent(), "nothing may be mounted here");
        try {
            index.awaitHealthy(Duration.ofSeconds(240));
            new Experiment(cluster, "p7i", seed).verify(List.of("p7-no-room-for-the-index"), workload -> {
                long ballast = disk.get().fill();
                Experiment.pause(FULL);
                disk.get().makeRoom();
                assertThat(ballast).isPositive();
                return 1;
            });
        } finally {
            index.stop();
            disk.get().close();
            index.start();
            cluster.awaitHealthy();
        }
    }
}
