package dev.postonce.systemtests.audit;

import dev.postonce.systemtests.harness.Cluster;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** I12: no secret stands in any log, whatever went wrong. */
final class LogAudit {

    private LogAudit() {}

    static List<Finding> findings(Cluster cluster) throws IOException {
        List<Finding> findings = new ArrayList<>();
        List<String> canaries = cluster.canaries();
        try (Stream<Path> logs = Files.list(cluster.home().logs())) {
            for (Path log : logs.toList()) {
                String text = new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1);
                for (String canary : canaries) {
                    if (text.contains(canary)) {
                        findings.add(new Finding("I12", log.getFileName().toString(), "a secret stands in this log"));
                    }
                }
            }
        }
        return findings;
    }
}
