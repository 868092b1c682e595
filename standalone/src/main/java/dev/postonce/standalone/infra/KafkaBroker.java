package dev.postonce.standalone.infra;

import dev.postonce.messaging.TopicAdmin;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.Child;
import dev.postonce.standalone.process.Orphans;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * One Kafka broker, its own controller, in a JVM of its own: a fatal fault of the broker halts its JVM, and must not take
 * anything else with it.
 */
public final class KafkaBroker {

    private static final int NODE_ID = 1;

    private final StandaloneHome home;
    private final StackPorts ports;

    private KafkaBroker(StandaloneHome home, StackPorts ports) {
        this.home = home;
        this.ports = ports;
    }

    /** Formats the directory, unless that is done, and writes the settings. */
    public static KafkaBroker prepare(StandaloneHome home, StackPorts ports) {
        KafkaBroker broker = new KafkaBroker(home, ports);
        FileTrees.deleteLeftovers(home.kafkaData());
        FileTrees.whole(home.kafkaData(), KafkaBroker::format);
        broker.writeSettings();
        return broker;
    }

    /**
     * @param java the command up to the class path, to which the broker's class and settings are added
     * @param patience how long it may take to end
     */
    public Child child(List<String> java, Duration patience) {
        List<String> command = new ArrayList<>(java);
        command.addAll(List.of("kafka.Kafka", settingsFile().toString()));
        return new Child(
                Part.KAFKA.label(),
                command,
                Map.of("MALLOC_ARENA_MAX", "2"),
                home.root(),
                "TERM",
                patience,
                // A second broker becomes controller and appends to the metadata log before it notices the first one's
                // lock.
                () -> Orphans.endOf(home, Part.KAFKA.label()));
    }

    /** Whether the broker answers as a member of its cluster. */
    public static boolean answers(Admin admin) {
        try {
            return !admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty();
        } catch (ExecutionException | TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    public static Admin admin(StackPorts ports) {
        Properties properties = new Properties();
        properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, ports.kafkaBootstrap());
        properties.put(AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, "50");
        properties.put(AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "200");
        return Admin.create(properties);
    }

    public static List<String> ensureTopics(Admin admin) {
        try {
            return TopicAdmin.ensureTopics(admin, (short) 1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while topics were made", e);
        }
    }

    private static void format(Path directory) throws IOException {
        try (PrintStream quiet = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(quiet)
                    .setNodeId(NODE_ID)
                    .setClusterId(Uuid.randomUuid().toString())
                    .addDirectory(directory.toString())
                    .setMetadataLogDirectory(directory.toString())
                    .setControllerListenerName("CONTROLLER")
                    .run();
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("the broker's directory cannot be formatted", e);
        }
    }

    private Path settingsFile() {
        return home.run().resolve("kafka.properties");
    }

    private void writeSettings() {
        try (Writer writer = Files.newBufferedWriter(settingsFile())) {
            settings().store(writer, "Written at each start; changes are lost");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the broker's settings", e);
        }
    }

    private Properties settings() {
        String controller = "127.0.0.1:" + ports.kafkaController();
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(NODE_ID));
        settings.put("controller.quorum.voters", NODE_ID + "@" + controller);
        settings.put("listeners", "PLAINTEXT://" + ports.kafkaBootstrap() + ",CONTROLLER://" + controller);
        settings.put("advertised.listeners", "PLAINTEXT://" + ports.kafkaBootstrap());
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("inter.broker.listener.name", "PLAINTEXT");
        settings.put("log.dirs", home.kafkaData().toString());
        for (String single : List.of(
                "offsets.topic.replication.factor",
                "transaction.state.log.replication.factor",
                "transaction.state.log.min.isr",
                "share.coordinator.state.topic.replication.factor",
                "share.coordinator.state.topic.min.isr")) {
            settings.put(single, "1");
        }
        settings.put("offsets.topic.num.partitions", "3");
        settings.put("transaction.state.log.num.partitions", "3");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("auto.create.topics.enable", "false");
        // After kill -9 the old registration has to expire before the broker may come back.
        settings.put("broker.session.timeout.ms", "2000");
        settings.put("broker.heartbeat.interval.ms", "500");
        settings.put("log.cleaner.dedupe.buffer.size", "4194304");
        settings.put("num.network.threads", "2");
        settings.put("num.io.threads", "4");
        settings.put("log.retention.check.interval.ms", "300000");
        return settings;
    }
}
