package dev.postonce.testinfra;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A database of one test class.
 *
 * @param password the same for the superuser and all roles
 */
public record TestDatabase(String host, int port, String name, String superuser, String password) {

    public String url() {
        return "jdbc:postgresql://" + host + ":" + port + "/" + name;
    }

    /** A plain data source for one of the roles, such as {@code postonce_ingest}. */
    public DataSource as(String user) {
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url());
        source.setUser(user);
        source.setPassword(password);
        return source;
    }

    public DataSource asSuperuser() {
        return as(superuser);
    }

    public void execute(String sql) {
        try (Connection connection = DriverManager.getConnection(url(), superuser, password);
                var statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("test set-up failed: " + sql, e);
        }
    }
}
