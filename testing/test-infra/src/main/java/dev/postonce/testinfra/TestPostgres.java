package dev.postonce.testinfra;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** One PostgreSQL server with logical decoding, durable as in production: fsync stays on. */
final class TestPostgres {

    private static final String IMAGE = System.getProperty("postonce.test.postgres.image", "postgres:17");
    private static final String PASSWORD = "postonce-test";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final String host;
    private final int port;
    private final String superuser;

    private TestPostgres(String host, int port, String superuser) {
        this.host = host;
        this.port = port;
        this.superuser = superuser;
    }

    static TestPostgres embedded() {
        try {
            EmbeddedPostgres server = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("wal_level", "logical")
                    .setServerConfig("max_replication_slots", "30")
                    .setServerConfig("max_wal_senders", "30")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("unix_socket_directories", "")
                    .setPGStartupWait(Duration.ofSeconds(60))
                    .start();
            return new TestPostgres("127.0.0.1", server.getPort(), "postgres");
        } catch (IOException e) {
            throw new UncheckedIOException("embedded PostgreSQL did not start", e);
        }
    }

    @SuppressWarnings("resource") // ends with the JVM
    static TestPostgres docker() {
        PostgreSQLContainer container = new PostgreSQLContainer(
                        DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("postgres"))
                .withUsername("postgres")
                .withPassword(PASSWORD)
                .withCommand(
                        "postgres",
                        "-c",
                        "wal_level=logical",
                        "-c",
                        "max_connections=300",
                        "-c",
                        "max_replication_slots=30",
                        "-c",
                        "max_wal_senders=30");
        container.start();
        return new TestPostgres(container.getHost(), container.getFirstMappedPort(), "postgres");
    }

    TestDatabase newDatabase() {
        String name = "test_" + NUMBER.incrementAndGet();
        new TestDatabase(host, port, "postgres", superuser, PASSWORD).execute("create database " + name);
        TestDatabase database = new TestDatabase(host, port, name, superuser, PASSWORD);
        database.execute(bootstrapSql());
        for (String role : new String[] {"ingest", "relay", "index", "dispatch", "verify"}) {
            database.execute("alter role postonce_" + role + " password '" + PASSWORD + "'");
        }
        return database;
    }

    private static String bootstrapSql() {
        String resource = "/dev/postonce/messaging/bootstrap.sql";
        try (InputStream in = TestPostgres.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is not on the class path");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
