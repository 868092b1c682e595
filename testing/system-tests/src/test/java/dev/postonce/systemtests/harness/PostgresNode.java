package dev.postonce.systemtests.harness;

import dev.postonce.runtime.Secret;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.Database;
import dev.postonce.standalone.infra.PostgresServer;
import dev.postonce.standalone.process.Child;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A PostgreSQL server of the cluster: durable, one child process, settings of its own where a fault needs them. */
public final class PostgresNode {

    private static final Duration UP_WITHIN = Duration.ofSeconds(90);

    private final Child child;
    private final ManagedProcess process;
    private final Path data;
    private final int port;
    private final Secret password;
    private volatile Map<String, String> settings = Map.of();

    private PostgresNode(Child child, Path log, Path data, int port, Secret password) {
        this.child = child;
        this.process = new ManagedProcess(child.name(), log);
        this.data = data;
        this.port = port;
        this.password = password;
    }

    static PostgresNode primary(StandaloneHome home, Path apps, StackPorts ports, Tenants secrets) {
        PostgresServer.endOrphans(home);
        Child child = PostgresServer.prepare(home, apps).child(ports);
        return new PostgresNode(
                child,
                home.log(Part.POSTGRES),
                home.postgresData(),
                ports.of(Part.POSTGRES),
                secrets.databasePassword());
    }

    /** A copy that follows this server from now on; this one stands still for a moment while it is copied. */
    public PostgresNode standby(String name) {
        Path copy = data.resolveSibling(name);
        int free = FreePorts.take(1).get(0);
        stop();
        run("cp", "-a", data.toString(), copy.toString());
        start();
        try {
            Files.createFile(copy.resolve("standby.signal"));
            Files.writeString(
                    copy.resolve("postgresql.auto.conf"),
                    "primary_conninfo = 'host=127.0.0.1 port=" + port + " user=postgres password=" + password.reveal()
                            + " application_name=" + name + "'\n",
                    StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = new ArrayList<>(child.command());
        command.set(command.indexOf("-D") + 1, copy.toString());
        command.set(command.indexOf("-p") + 1, Integer.toString(free));
        Child follower = new Child(
                name,
                command,
                child.environment(),
                child.workingDirectory(),
                child.stopSignal(),
                child.patience(),
                () -> {});
        return new PostgresNode(follower, process.log().resolveSibling(name + ".log"), copy, free, password);
    }

    public ManagedProcess process() {
        return process;
    }

    public int port() {
        return port;
    }

    public Path data() {
        return data;
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postonce";
    }

    /** Other settings than the product's, from the next start on. */
    public void settings(Map<String, String> settings) {
        this.settings = Map.copyOf(settings);
    }

    public void start() {
        child.beforeStart().run();
        List<String> command = new ArrayList<>(child.command());
        settings.forEach((name, value) -> {
            command.add("-c");
            command.add(name + "=" + value);
        });
        process.start(command, child.environment(), child.workingDirectory());
        boolean up = Patience.until(UP_WITHIN, () -> !process.isAlive() || answers());
        if (!up || !process.isAlive()) {
            throw new IllegalStateException("PostgreSQL does not come up; see " + process.log());
        }
    }

    private boolean answers() {
        try (Connection connection = connect(Database.SUPERUSER, "template1")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    /** As a crash of the machine would end it: the server, and then its children. */
    public void kill() {
        process.kill();
        child.beforeStart().run();
    }

    public void stop() {
        process.stop(child.stopSignal());
    }

    /** Past all proxies. */
    public Connection connect(String role) throws SQLException {
        return connect(role, "postonce");
    }

    private Connection connect(String role, String database) throws SQLException {
        Properties properties = new Properties();
        properties.setProperty("user", role);
        properties.setProperty("password", password.reveal());
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "60");
        properties.setProperty("ApplicationName", "postonce-harness");
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:" + port + "/" + database, properties);
    }

    public void execute(String... statements) {
        try (Connection connection = connect(Database.SUPERUSER);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    public long number(String sql) {
        return Long.parseLong(text(sql));
    }

    /** The first column of the first row; empty if there is none. */
    public String text(String sql) {
        try (Connection connection = connect(Database.SUPERUSER);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            return rows.next() ? String.valueOf(rows.getString(1)) : "";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void run(String... command) {
        try {
            int code = new ProcessBuilder(command).inheritIO().start().waitFor();
            if (code != 0) {
                throw new IllegalStateException(String.join(" ", command) + " ended with " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
