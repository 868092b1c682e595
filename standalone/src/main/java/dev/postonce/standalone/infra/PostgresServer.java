package dev.postonce.standalone.infra;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.Child;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * PostgreSQL as a child of this process: its exit is seen, it logs to a file of its own, and it is durable (fsync stays
 * on). Not through {@code pg_ctl}, which would detach it, and whose exit code tells little.
 */
public final class PostgresServer {

    private static final Duration STOP_PATIENCE = Duration.ofSeconds(20);

    private final StandaloneHome home;
    private final Path binaries;

    private PostgresServer(StandaloneHome home, Path binaries) {
        this.home = home;
        this.binaries = binaries;
    }

    /**
     * Unpacks the programs and makes the data directory, unless both are there. The database password has to exist.
     *
     * @param apps where programs are unpacked, shared by several homes
     */
    public static PostgresServer prepare(StandaloneHome home, Path apps) {
        PostgresServer server = new PostgresServer(home, PostgresBinaries.unpack(apps));
        FileTrees.deleteLeftovers(home.postgresData());
        FileTrees.whole(home.postgresData(), server::initialise);
        return server;
    }

    /** Ends a server that an earlier run left on this home; needs the home's lock. */
    public static void endOrphans(StandaloneHome home) {
        Postmasters.endAll(home.postgresData());
    }

    public Child child(StackPorts ports) {
        List<String> command = new ArrayList<>(asNobody());
        command.add(program("postgres"));
        command.addAll(List.of("-D", home.postgresData().toString(), "-p", Integer.toString(ports.of(Part.POSTGRES))));
        settings().forEach((name, value) -> {
            command.add("-c");
            command.add(name + "=" + value);
        });
        // INT is PostgreSQL's fast shutdown: it ends sessions and writes a checkpoint; TERM would wait for the
        // sessions.
        return new Child(
                Part.POSTGRES.label(),
                command,
                Map.of("LC_ALL", "C", "TZ", "UTC"),
                home.root(),
                "INT",
                STOP_PATIENCE,
                () -> Postmasters.endAll(home.postgresData()));
    }

    private static Map<String, String> settings() {
        return Map.ofEntries(
                Map.entry("listen_addresses", "127.0.0.1"),
                // A socket file in /tmp would survive a crash and keep the next start from its port.
                Map.entry("unix_socket_directories", ""),
                Map.entry("fsync", "on"),
                Map.entry("synchronous_commit", "on"),
                Map.entry("wal_level", "logical"),
                Map.entry("max_replication_slots", "10"),
                Map.entry("max_wal_senders", "10"),
                Map.entry("max_connections", "120"),
                // A relay that is down for long must not fill the disk.
                Map.entry("max_slot_wal_keep_size", "4GB"),
                Map.entry("max_wal_size", "512MB"),
                Map.entry("timezone", "UTC"),
                Map.entry("log_timezone", "UTC"),
                Map.entry("log_line_prefix", "%m [%p] %q%u@%d "),
                Map.entry("log_checkpoints", "off"),
                Map.entry("log_lock_waits", "on"));
    }

    private void initialise(Path directory) throws IOException {
        PrivateFiles.directory(home.logs());
        Path passwordFile = home.secrets().resolve("database-password");
        List<String> command = new ArrayList<>(asNobody());
        command.add(program("initdb"));
        command.addAll(List.of(
                "--pgdata=" + directory,
                "--username=" + Database.SUPERUSER,
                "--pwfile=" + passwordFile,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-locale",
                // Byte order like C, but upper and lower case and character classes for all of Unicode.
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--data-checksums"));
        run(command, home.logs().resolve("initdb.log"));
    }

    private static void run(List<String> command, Path log) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("LC_ALL", "C");
        try {
            int exit = builder.start().waitFor();
            if (exit != 0) {
                throw new IOException(explain(Files.readString(log), exit, log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UncheckedIOException(new IOException("interrupted while initdb ran", e));
        }
    }

    private static String explain(String output, int exit, Path log) {
        if (output.contains("cannot be run as root") || output.contains("unshare")) {
            return "PostgreSQL refuses to run as root, and this container forbids user namespaces (unshare -U): "
                    + "run postonce as another user. 请以非 root 用户运行";
        }
        return "initdb ended with code " + exit + "; see " + log;
    }

    /** PostgreSQL does not run as root; in a user namespace of its own it sees itself as nobody. */
    private static List<String> asNobody() {
        return "root".equals(System.getProperty("user.name")) ? List.of("unshare", "-U") : List.of();
    }

    private String program(String name) {
        return binaries.resolve("bin").resolve(name).toString();
    }
}
