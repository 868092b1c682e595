package dev.postonce.systemtests.audit;

import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Planted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** I11: each record that nobody can read is kept by every service that reads its topic. */
final class ParkedAudit {

    private static final Map<String, List<String>> READERS = Map.of(
            "postonce.task.v1", List.of("\"index\"", "dispatch"),
            "postonce.group.v1", List.of("\"index\""),
            "postonce.dispatch.v1", List.of("ingest"),
            "postonce.key.v1", List.of("\"index\""));

    private final Cluster cluster;

    ParkedAudit(Cluster cluster) {
        this.cluster = cluster;
    }

    List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        for (Planted planted : cluster.planted()) {
            for (String schema : READERS.getOrDefault(planted.topic(), List.of())) {
                long kept = cluster.postgres()
                        .number("select count(*) from " + schema + ".parked_record where topic = '" + planted.topic()
                                + "' and partition_number = " + planted.partition() + " and record_offset = "
                                + planted.offset() + " and reason <> ''");
                if (kept == 0) {
                    findings.add(new Finding("I11", planted.key(), "is not parked by " + schema));
                }
            }
        }
        return findings;
    }
}
