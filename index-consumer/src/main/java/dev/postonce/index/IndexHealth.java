package dev.postonce.index;

import dev.postonce.index.entry.KafkaEntryIntake;
import dev.postonce.index.entry.KafkaStartPositions;
import dev.postonce.index.replica.Replica;
import java.util.List;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/** What the health page says of the two paths. Words and counts only: nothing of any tenant. */
final class IndexHealth {

    private IndexHealth() {}

    static HealthIndicator ofReplica(Replica replica) {
        return () -> {
            Replica.Status status = replica.status();
            Health.Builder health = status.ready() ? Health.up() : Health.outOfService();
            return health.withDetail("phase", status.phase().name().toLowerCase(java.util.Locale.ROOT))
                    .withDetail("what", status.what())
                    .withDetail("lag_records", status.lagRecords())
                    .withDetail("documents", status.documents())
                    .build();
        };
    }

    static HealthIndicator ofEntries(KafkaEntryIntake intake, KafkaStartPositions positions) {
        return () -> {
            String waitingFor = intake.waitingFor();
            List<String> incidents = positions.incidents();
            Health.Builder health = waitingFor == null ? Health.up() : Health.down();
            if (waitingFor != null) {
                health.withDetail("waiting_for", waitingFor);
            }
            if (!incidents.isEmpty()) {
                health.withDetail("incidents", incidents);
            }
            return health.build();
        };
    }
}
