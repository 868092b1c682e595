package dev.postonce.relay.source;

import dev.postonce.runtime.Secret;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import org.postgresql.Driver;
import org.postgresql.PGProperty;

/** Connections outside of the pool: the claim's session, and the replication protocol. */
public record PgConnections(String url, String user, Secret password) {

    private static final int CONNECT_TIMEOUT_S = 5;

    /**
     * @param answerWithin a server that is silent for longer is taken for gone
     */
    public Connection open(String applicationName, Duration answerWithin) throws SQLException {
        Properties properties = base(applicationName);
        PGProperty.SOCKET_TIMEOUT.set(properties, Math.toIntExact(answerWithin.toSeconds()));
        return DriverManager.getConnection(url, properties);
    }

    /** Speaks the replication protocol, which alone can export a snapshot at a slot's beginning. */
    public Connection openReplication(String applicationName, Duration lockTimeout) throws SQLException {
        Properties properties = base(applicationName);
        PGProperty.REPLICATION.set(properties, "database");
        PGProperty.PREFER_QUERY_MODE.set(properties, "simple");
        PGProperty.ASSUME_MIN_SERVER_VERSION.set(properties, "14");
        PGProperty.OPTIONS.set(properties, "-c lock_timeout=" + lockTimeout.toMillis());
        return DriverManager.getConnection(url, properties);
    }

    /** The URL's parts under the driver's own names: {@code PGHOST}, {@code PGPORT}, {@code PGDBNAME} and settings. */
    public Properties parts() {
        Properties parts = Driver.parseURL(url, null);
        if (parts == null) {
            throw new IllegalArgumentException("POSTONCE_DB_URL is no PostgreSQL JDBC URL: " + url);
        }
        return parts;
    }

    private Properties base(String applicationName) {
        Properties properties = new Properties();
        PGProperty.USER.set(properties, user);
        PGProperty.PASSWORD.set(properties, password.reveal());
        PGProperty.CONNECT_TIMEOUT.set(properties, CONNECT_TIMEOUT_S);
        PGProperty.TCP_KEEP_ALIVE.set(properties, true);
        PGProperty.APPLICATION_NAME.set(properties, applicationName);
        return properties;
    }
}
