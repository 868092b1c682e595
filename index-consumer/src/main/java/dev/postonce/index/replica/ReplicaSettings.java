package dev.postonce.index.replica;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How a replica is kept.
 *
 * @param directory of this instance alone; a lock in it says so
 */
public record ReplicaSettings(
        Path directory, double ramBufferMb, Duration refreshEvery, Duration commitEvery, int commitRecords) {

    ReplicaFeed.Pace pace() {
        return new ReplicaFeed.Pace(refreshEvery, commitEvery, commitRecords);
    }
}
