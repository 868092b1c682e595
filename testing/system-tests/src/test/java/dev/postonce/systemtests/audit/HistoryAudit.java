package dev.postonce.systemtests.audit;

import dev.postonce.systemtests.harness.PostgresNode;
import dev.postonce.systemtests.workload.Operation;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * What clients were told against what the database holds: everything acknowledged is there, under the id that was told;
 * everything there was asked for; nothing refused left a row; one question has one answer.
 */
public final class HistoryAudit {

    private static final String TASKS =
            "select tenant_id, external_id, task_id::text from ingest.task where starts_with(external_id, ?)";
    private static final String GROUPS =
            """
            select tenant_id, normalized_group_id, id::text from ingest.group_entry
            where starts_with(normalized_group_id, ?)
            """;

    private final List<Operation> operations;
    private final Map<String, String> ids;
    private final List<Finding> findings = new ArrayList<>();

    /** @param ids by {@code tenant subject}: what the database holds */
    public HistoryAudit(List<Operation> operations, Map<String, String> ids) {
        this.operations = operations;
        this.ids = ids;
    }

    static Map<String, String> read(PostgresNode postgres, String run) throws SQLException {
        Map<String, String> ids = new HashMap<>();
        try (Connection connection = postgres.connect("postonce_verify")) {
            read(connection, TASKS, run + "-", "task/", ids);
            read(connection, GROUPS, "u:" + run.replace("-", "") + "grp", "group/", ids);
        }
        return ids;
    }

    private static void read(Connection connection, String sql, String prefix, String kind, Map<String, String> into)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, prefix);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    into.put(rows.getString(1) + " " + kind + rows.getString(2), rows.getString(3));
                }
            }
        }
    }

    public List<Finding> findings() {
        Set<String> mayExist = new HashSet<>();
        Map<String, Integer> created = new HashMap<>();
        Map<String, Set<String>> told = new HashMap<>();
        for (Operation operation : operations) {
            String subject = operation.tenant() + " " + operation.subject();
            switch (operation.kind()) {
                case READ_FOREIGN -> foreign(operation, subject);
                case READ_OWN -> own(operation, subject);
                default -> {
                    if (operation.result() != Operation.Result.FAIL) {
                        mayExist.add(subject);
                    }
                    if (operation.result() == Operation.Result.OK) {
                        told.computeIfAbsent(subject, key -> new TreeSet<>()).add(operation.id());
                        created.merge(subject, operation.status() == 201 ? 1 : 0, Integer::sum);
                    }
                }
            }
        }
        told.forEach(this::acknowledged);
        created.forEach((subject, times) -> {
            if (times > 1) {
                findings.add(new Finding("I2", subject, "was created " + times + " times, by its answers"));
            }
        });
        ids.keySet().stream()
                .filter(subject -> !mayExist.contains(subject))
                .forEach(subject -> findings.add(new Finding("I1", subject, "exists, and nobody was told yes")));
        return findings;
    }

    private void acknowledged(String subject, Set<String> told) {
        String id = ids.get(subject);
        if (id == null) {
            findings.add(new Finding("I1", subject, "was acknowledged and is not there"));
        } else if (told.size() > 1) {
            findings.add(new Finding("I3", subject, "was answered under several ids: " + told));
        } else if (!told.contains(id)) {
            findings.add(new Finding("I3", subject, "was answered as " + told + " and is " + id));
        }
    }

    private void foreign(Operation operation, String subject) {
        // The same id may be the other tenant's own.
        if (operation.result() == Operation.Result.OK && !ids.containsKey(subject)) {
            findings.add(new Finding("I10", subject, "a stranger was shown it"));
        }
    }

    /** Only what was acknowledged before is certain to be found. */
    private void own(Operation operation, String subject) {
        if (operation.result() == Operation.Result.FAIL) {
            boolean acknowledgedBefore = operations.stream()
                    .anyMatch(other -> other.result() == Operation.Result.OK
                            && other.kind() != Operation.Kind.READ_OWN
                            && other.kind() != Operation.Kind.READ_FOREIGN
                            && other.tenant().equals(operation.tenant())
                            && other.subject().equals(operation.subject())
                            && other.endedAtMs() < operation.invokedAtMs());
            if (acknowledgedBefore) {
                findings.add(new Finding("I1", subject, "was acknowledged, and then not found: " + operation.said()));
            }
        }
    }
}
