package dev.postonce.standalone.demo;

import dev.postonce.standalone.StandaloneHome;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Looks, as the role that may only read, how far the demo's tasks have come. */
final class JdbcDemo implements AutoCloseable {

    private static final String TARGETS =
            """
            select state, count(*)
            from ingest.target
            where tenant_id = ? and external_id = any(?)
            group by state
            """;

    private static final String INDEXED =
            """
            select
              (select count(*) from ingest.task t
               join "index".entry e on e.kind = 'task' and e.record_key = t.tenant_id || ':' || t.external_id
               where t.tenant_id = ? and t.external_id = any(?) and e.version = t.version and not e.deleted)
              +
              (select count(*) from ingest.group_entry g
               join "index".entry e on e.kind = 'group'
                 and e.record_key = g.tenant_id || ':' || g.operation || '/' || g.normalized_group_id
               where g.tenant_id = ? and g.id = any(?) and e.version = g.version and not e.deleted)
            """;

    private final Connection connection;
    private final String tenant;

    JdbcDemo(StandaloneHome home, String tenant) {
        this.tenant = tenant;
        try {
            this.connection = DriverManager.getConnection(
                    home.ports().databaseUrl(),
                    "postonce_verify",
                    home.databasePassword().reveal());
        } catch (SQLException e) {
            throw new IllegalStateException("the database does not answer: " + e.getMessage(), e);
        }
    }

    /** How many targets are in each state. */
    Map<String, Long> targets(Collection<String> externalIds) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(TARGETS)) {
            statement.setString(1, tenant);
            statement.setArray(2, connection.createArrayOf("text", externalIds.toArray()));
            Map<String, Long> states = new TreeMap<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    states.put(rows.getString(1), rows.getLong(2));
                }
            }
            return states;
        }
    }

    /** How many of them the index holds in their newest version. */
    long indexed(Accepted accepted) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INDEXED)) {
            statement.setString(1, tenant);
            statement.setArray(
                    2, connection.createArrayOf("text", accepted.externalIds().toArray()));
            statement.setString(3, tenant);
            statement.setArray(
                    4, connection.createArrayOf("uuid", accepted.groupIds().toArray()));
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
