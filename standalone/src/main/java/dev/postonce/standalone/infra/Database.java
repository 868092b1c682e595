package dev.postonce.standalone.infra;

import dev.postonce.runtime.Secret;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Properties;

/** The database inside the embedded PostgreSQL: made once, with its roles and schemas. */
public final class Database {

    public static final String SUPERUSER = "postgres";
    public static final String VERIFY_ROLE = "postonce_verify";

    private static final String NAME = "postonce";
    private static final String BOOTSTRAP = "/dev/postonce/messaging/bootstrap.sql";
    private static final List<String> ROLES = List.of("ingest", "relay", "index", "dispatch", "verify");

    private final StackPorts ports;
    private final Secret password;

    public Database(StackPorts ports, Secret password) {
        this.ports = ports;
        this.password = password;
    }

    public static Database of(StandaloneHome home) {
        return new Database(home.ports(), home.databasePassword());
    }

    public Connection connect(String role) throws SQLException {
        return connect(role, NAME);
    }

    /** Whether the server answers queries; it refuses them while it recovers from a crash. */
    public boolean answers() {
        try (Connection connection = connect(SUPERUSER, "template1")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** Creates what is missing; may run at every start. */
    public void ensure() {
        try {
            try (Connection connection = connect(SUPERUSER, SUPERUSER);
                    Statement statement = connection.createStatement()) {
                if (!exists(statement)) {
                    statement.execute("create database " + NAME);
                }
            }
            try (Connection connection = connect(SUPERUSER, NAME);
                    Statement statement = connection.createStatement()) {
                statement.execute(bootstrapSql());
                for (String role : ROLES) {
                    // Hex digits only, see DevSecrets: nothing to escape.
                    statement.execute("alter role postonce_" + role + " password '" + password.reveal() + "'");
                }
            }
        } catch (SQLException e) {
            throw new IllegalStateException("the database cannot be prepared: " + e.getMessage(), e);
        }
    }

    private static boolean exists(Statement statement) throws SQLException {
        try (ResultSet rows = statement.executeQuery("select 1 from pg_database where datname = '" + NAME + "'")) {
            return rows.next();
        }
    }

    private Connection connect(String role, String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", role);
        properties.setProperty("password", password.reveal());
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "60");
        properties.setProperty("ApplicationName", "postonce");
        return DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + ports.of(Part.POSTGRES) + "/" + database, properties);
    }

    private static String bootstrapSql() {
        try (InputStream in = Database.class.getResourceAsStream(BOOTSTRAP)) {
            if (in == null) {
                throw new IllegalStateException(BOOTSTRAP + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
