package dev.postonce.benchmarks;

import dev.postonce.runtime.Secret;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.Database;
import dev.postonce.standalone.infra.PostgresServer;
import dev.postonce.standalone.process.Child;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The PostgreSQL that {@code postonce up} runs, {@code fsync} on, with the memory that a database of its own machine
 * would have. What it executes can be logged, so that pgbench runs what the service runs.
 */
final class Server implements AutoCloseable {

    private static final int START_S_MAX = 60;
    private static final int STOP_S_MAX = 60;

    private static final Map<String, String> SETTINGS = Map.ofEntries(
            Map.entry("shared_buffers", "1GB"),
            // The only checkpoints are those that the benchmark asks for.
            Map.entry("max_wal_size", "16GB"),
            Map.entry("checkpoint_timeout", "1h"),
            Map.entry("max_connections", "300"),
            Map.entry("logging_collector", "on"),
            Map.entry("log_destination", "jsonlog"),
            Map.entry("log_filename", "postgres.log"),
            Map.entry("log_rotation_size", "0"),
            Map.entry("log_parameter_max_length", "-1"));

    private final StandaloneHome home;
    private final StackPorts ports;
    private final Process process;

    private Server(StandaloneHome home, StackPorts ports, Process process) {
        this.home = home;
        this.ports = ports;
        this.process = process;
    }

    /** @param directory data of earlier runs is used again */
    static Server start(Path directory) throws IOException, InterruptedException {
        StandaloneHome home = new StandaloneHome(directory);
        for (Path path : List.of(home.root(), home.logs(), home.secrets(), home.run())) {
            PrivateFiles.directory(path);
        }
        Path password = home.secrets().resolve("database-password");
        if (!Files.exists(password)) {
            PrivateFiles.write(password, "benchmarks");
        }
        StackPorts ports = StackPorts.free();
        home.recordPorts(ports);
        Child child = PostgresServer.prepare(home, home.root().resolve("apps")).child(ports);
        child.beforeStart().run();
        List<String> command = new ArrayList<>(child.command());
        SETTINGS.forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
        command.addAll(List.of("-c", "log_directory=" + home.logs()));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(home.root().toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.logs().resolve("postmaster.out").toFile()))
                .redirectInput(new File("/dev/null"));
        builder.environment().putAll(child.environment());
        Server server = new Server(home, ports, builder.start());
        Waiting.until("PostgreSQL answers", START_S_MAX, () -> new Database(ports, home.databasePassword()).answers());
        return server;
    }

    int port() {
        return ports.of(Part.POSTGRES);
    }

    Secret password() {
        return home.databasePassword();
    }

    long pid() {
        return process.pid();
    }

    Path log() {
        return home.logs().resolve("postgres.json");
    }

    String jdbcUrl(String database) {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + database;
    }

    Connection superuser(String database) throws SQLException {
        return java.sql.DriverManager.getConnection(
                jdbcUrl(database), Database.SUPERUSER, password().reveal());
    }

    /** @return whether it was made, and was not there already */
    boolean ensure(String database) throws SQLException {
        try (Connection connection = superuser("postgres");
                Statement statement = connection.createStatement()) {
            try (var rows = statement.executeQuery("select 1 from pg_database where datname = '" + database + "'")) {
                if (rows.next()) {
                    return false;
                }
            }
            statement.execute("create database " + database);
        }
        execute(database, Resources.text("/dev/postonce/messaging/bootstrap.sql"));
        for (String role : List.of("ingest", "relay", "index", "dispatch", "verify")) {
            execute(
                    database,
                    "alter role postonce_" + role + " password '" + password().reveal() + "'");
        }
        return true;
    }

    void drop(String database) throws SQLException {
        execute("postgres", "drop database if exists " + database + " with (force)");
    }

    void execute(String database, String sql) throws SQLException {
        try (Connection connection = superuser(database);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    void logStatements(boolean on) throws SQLException {
        execute("postgres", "alter system set log_statement = '" + (on ? "all" : "none") + "'");
        execute("postgres", "select pg_reload_conf()");
    }

    @Override
    public void close() {
        try {
            // INT is PostgreSQL's fast shutdown.
            new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                    .start()
                    .waitFor();
            if (!process.waitFor(STOP_S_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException e) {
            process.destroy();
        } catch (InterruptedException e) {
            process.destroy();
            Thread.currentThread().interrupt();
        }
    }
}
