package dev.postonce.standalone.infra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.runtime.Secret;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.ProcFs;
import dev.postonce.standalone.process.Signals;
import dev.postonce.standalone.process.Supervisor;
import dev.postonce.standalone.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded PostgreSQL through every way in which a run can end. */
class PostgresServerIT {

    private static final Path APPS = Path.of("target", "apps").toAbsolutePath();
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Secret PASSWORD = Secret.of("0123456789abcdef");

    /** initdb takes longer than everything else here; each test begins with a copy of what it makes. */
    @TempDir
    static Path template;

    @TempDir
    Path directory;

    private final StackPorts ports = StackPorts.free();
    private final List<Process> strays = new ArrayList<>();
    private StandaloneHome home;
    private Supervisor supervisor;
    private PostgresServer server;
    private Database database;

    @BeforeAll
    static void make_the_template() {
        PostgresServer.prepare(emptyHome(template), APPS);
    }

    @BeforeEach
    void prepare() throws Exception {
        home = emptyHome(directory);
        run(
                "cp",
                "-a",
                new StandaloneHome(template).postgresData().toString(),
                home.postgresData().toString());
        home.recordPorts(ports);
        server = PostgresServer.prepare(home, APPS);
        database = Database.of(home);
        supervisor = new Supervisor(home, InstantSource.system(), line -> {});
    }

    @AfterEach
    void stop() {
        supervisor.close();
        strays.forEach(Process::destroyForcibly);
        PostgresServer.endOrphans(home);
    }

    @Test
    void it_is_durable_listens_on_loopback_and_lets_nobody_in_without_the_password() throws SQLException {
        start();
        database.ensure();
        database.ensure(); // every start does

        try (Connection connection = database.connect(Database.SUPERUSER)) {
            assertThat(show(connection, "fsync")).isEqualTo("on");
            assertThat(show(connection, "synchronous_commit")).isEqualTo("on");
            assertThat(show(connection, "wal_level")).isEqualTo("logical");
            assertThat(show(connection, "listen_addresses")).isEqualTo("127.0.0.1");
            assertThat(one(connection, "select lower('ÄÖ') || count(*) from pg_roles where rolname like 'postonce%'"))
                    .isEqualTo("äö6");
        }
        assertThatThrownBy(() -> new Database(ports, Secret.of("guess")).connect(Database.VERIFY_ROLE))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password");
    }

    @Test
    void a_postmaster_that_is_killed_comes_back_with_everything_that_was_committed() throws SQLException {
        start();
        database.ensure();
        try (Connection connection = database.connect(Database.SUPERUSER)) {
            execute(connection, "create table kept (n int)");
            execute(connection, "insert into kept values (1)");

            Signals.kill(Postmasters.find(home.postgresData()).get(0));
            assertThat(Waiting.until(PATIENCE, () -> supervisor.restarts("postgres") > 0 && database.answers()))
                    .isTrue();
        }
        try (Connection connection = database.connect(Database.SUPERUSER)) {
            assertThat(one(connection, "select count(*)::text from kept")).isEqualTo("1");
        }
    }

    @Test
    void a_server_that_outlived_its_supervisor_is_ended_even_on_another_port() throws IOException {
        Process orphan = stray(server.child(StackPorts.free()).command());
        assertThat(Waiting.until(
                        PATIENCE, () -> Files.exists(home.postgresData().resolve("postmaster.pid"))))
                .isTrue();

        start();

        assertThat(orphan.isAlive()).isFalse();
        assertThat(Postmasters.find(home.postgresData())).hasSize(1);
    }

    @Test
    void a_postmaster_that_nobody_reaps_does_not_keep_the_next_one_from_starting() throws IOException {
        // The shell turns into a sleep, which never asks what became of its child: as under a lazy init of a container.
        String command = "'" + String.join("' '", server.child(ports).command()) + "' & exec sleep 120";
        stray(List.of("sh", "-c", command));
        assertThat(Waiting.until(PATIENCE, database::answers)).isTrue();
        long zombie = Postmasters.find(home.postgresData()).get(0);
        Signals.kill(zombie);

        start();

        assertThat(Files.readString(Path.of("/proc/" + zombie + "/stat"))).contains(") Z ");
    }

    @Test
    void a_stale_pid_file_that_names_somebody_else_harms_neither() throws IOException {
        Process innocent = stray(List.of("sleep", "60"));
        Files.writeString(
                home.postgresData().resolve("postmaster.pid"),
                innocent.pid() + "\n" + home.postgresData() + "\n1\n" + ports.kafkaController() + "\n\n127.0.0.1\n");

        start();

        assertThat(innocent.isAlive()).isTrue();
    }

    @Test
    void a_first_start_that_was_broken_off_leaves_nothing_behind() throws IOException {
        FileTrees.delete(home.postgresData());
        Path begun = Files.createDirectory(home.root().resolve(".pg-data-17-123"));
        Files.writeString(begun.resolve("PG_VERSION"), "17");

        server = PostgresServer.prepare(home, APPS);

        assertThat(begun).doesNotExist();
        start();
    }

    private static StandaloneHome emptyHome(Path directory) {
        StandaloneHome home = new StandaloneHome(directory);
        PrivateFiles.directory(home.run());
        PrivateFiles.directory(home.logs());
        PrivateFiles.directory(home.secrets());
        PrivateFiles.write(home.secrets().resolve("database-password"), PASSWORD.reveal() + "\n");
        return home;
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).inheritIO().start().waitFor()).isZero();
    }

    private void start() {
        supervisor.keep(server.child(ports));
        assertThat(Waiting.until(PATIENCE, database::answers))
                .as("PostgreSQL answers; its log is in %s", home.logs())
                .isTrue();
        assertThat(ProcFs.isAlive(Postmasters.find(home.postgresData()).get(0))).isTrue();
    }

    private Process stray(List<String> command) throws IOException {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(home.logs().resolve("stray.log").toFile())
                .start();
        strays.add(process);
        return process;
    }

    private static String show(Connection connection, String setting) throws SQLException {
        return one(connection, "show " + setting);
    }

    private static String one(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
