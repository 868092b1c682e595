package dev.postonce.testinfra;

import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.testcontainers.DockerClientFactory;

/**
 * One PostgreSQL and one Kafka for all tests of a JVM, started when first asked for. The system property
 * {@code postonce.test.infra} says where from: {@code embedded} (default), {@code docker} (Testcontainers), or
 * {@code auto} (Docker where an engine answers).
 */
public final class TestInfra {

    private static final Logger LOG = LoggerFactory.getLogger(TestInfra.class);

    private TestInfra() {}

    /** A new, empty database with the project's roles and schemas; every call gives another. */
    public static TestDatabase newDatabase() {
        return PostgresHolder.SERVER.newDatabase();
    }

    /** Bootstrap servers of a Kafka with no topics of ours; tests make topics of their own names, or the project's. */
    public static String kafkaBootstrap() {
        return KafkaHolder.BOOTSTRAP;
    }

    static boolean useDocker() {
        String mode = System.getProperty("postonce.test.infra", "embedded").toLowerCase(Locale.ROOT);
        boolean docker =
                switch (mode) {
                    case "embedded" -> false;
                    case "docker" -> true;
                    case "auto" -> DockerClientFactory.instance().isDockerAvailable();
                    default ->
                        throw new IllegalArgumentException(
                                "postonce.test.infra is embedded, docker or auto, not " + mode);
                };
        LOG.info("test infrastructure: {}", docker ? "Testcontainers" : "embedded");
        return docker;
    }

    private static final class PostgresHolder {
        static final TestPostgres SERVER = useDocker() ? TestPostgres.docker() : TestPostgres.embedded();
    }

    private static final class KafkaHolder {
        static final String BOOTSTRAP = useDocker() ? TestKafka.docker() : TestKafka.embedded();
    }
}
