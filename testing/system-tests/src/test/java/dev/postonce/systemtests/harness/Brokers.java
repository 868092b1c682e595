package dev.postonce.systemtests.harness;

import dev.postonce.messaging.TopicAdmin;
import dev.postonce.standalone.infra.KafkaBroker;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.metadata.storage.Formatter;

/**
 * KRaft brokers as child processes, each also a controller. Every client has a listener of its own at each broker, and
 * that listener tells the address of a proxy: so the link of each client to each broker can be cut by itself. There a
 * client proves who it is; past the proxies anybody may do anything.
 */
public final class Brokers {

    private static final Duration UP_WITHIN = Duration.ofSeconds(120);
    private static final String DIRECT = "DIRECT";
    private static final String PEERS = "PEERS";

    private final Path directory;
    private final List<String> java;
    private final KafkaUsers users;
    private final List<String> clients;
    private final List<Broker> nodes = new ArrayList<>();

    /** One broker: its process, and its address for each client. */
    public final class Broker {

        private final int id;
        private final ManagedProcess process;
        private final Map<String, Integer> ports = new LinkedHashMap<>();
        private final Map<String, TcpProxy> proxies = new LinkedHashMap<>();
        private final int controllerPort;

        private Broker(int id, List<String> clients, long seed) {
            this.id = id;
            this.process = new ManagedProcess("kafka-" + id, directory.resolve("logs/kafka-" + id + ".log"));
            List<Integer> free = FreePorts.take(clients.size() + 3);
            for (String client : clients) {
                int port = free.remove(0);
                ports.put(client, port);
                proxies.put(client, new TcpProxy(client + "-kafka-" + id, port, seed + id));
            }
            ports.put(DIRECT, free.remove(0));
            ports.put(PEERS, free.remove(0));
            proxies.put(PEERS, new TcpProxy("peers-kafka-" + id, ports.get(PEERS), seed + id));
            this.controllerPort = free.remove(0);
        }

        public ManagedProcess process() {
            return process;
        }

        public int id() {
            return id;
        }

        public void start() {
            List<String> command = new ArrayList<>(java);
            command.addAll(List.of("kafka.Kafka", settingsFile().toString()));
            process.start(command, Map.of("MALLOC_ARENA_MAX", "2"), directory);
        }

        public void stop() {
            process.stop("TERM");
        }

        public void kill() {
            process.kill();
        }

        /** Of the link on which the other brokers reach this one. */
        public TcpProxy fromPeers() {
            return proxies.get(PEERS);
        }

        public Path data() {
            return directory.resolve("kafka-" + id);
        }

        private Path settingsFile() {
            return directory.resolve("kafka-" + id + ".properties");
        }

        private String advertised(String listener) {
            return listener + "://127.0.0.1:"
                    + (proxies.containsKey(listener) ? proxies.get(listener).port() : ports.get(listener));
        }
    }

    /** @param java the command up to the class path */
    Brokers(Path directory, int count, KafkaUsers users, List<String> clients, List<String> java, long seed) {
        this.directory = directory;
        this.users = users;
        this.clients = clients.stream().map(Brokers::listener).toList();
        this.java = List.copyOf(java);
        for (int id = 1; id <= count; id++) {
            nodes.add(new Broker(id, this.clients, seed));
        }
        String cluster = Uuid.randomUuid().toString();
        for (Broker node : nodes) {
            write(node);
            format(node, cluster);
        }
    }

    public List<Broker> nodes() {
        return nodes;
    }

    public Broker node(int id) {
        return nodes.get(id - 1);
    }

    public KafkaUsers users() {
        return users;
    }

    List<TcpProxy> proxies(String client) {
        return nodes.stream().map(node -> node.proxies.get(listener(client))).toList();
    }

    String bootstrap(String client) {
        return proxies(client).stream()
                .map(proxy -> "127.0.0.1:" + proxy.port())
                .collect(Collectors.joining(","));
    }

    /** Past all proxies. */
    public String bootstrap() {
        return nodes.stream().map(node -> "127.0.0.1:" + node.ports.get(DIRECT)).collect(Collectors.joining(","));
    }

    public Admin admin() {
        return Admin.create(Map.of(
                AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap(),
                AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG, "50",
                AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "200"));
    }

    void start() {
        nodes.forEach(Broker::start);
        awaitUp();
        try (Admin admin = admin()) {
            TopicAdmin.ensureTopics(admin, (short) Math.min(3, nodes.size()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Until every broker of the cluster is a member again. */
    public void awaitUp() {
        try (Admin admin = admin()) {
            boolean up = Patience.until(UP_WITHIN, () -> KafkaBroker.answers(admin) && members(admin) == nodes.size());
            if (!up) {
                throw new IllegalStateException("the brokers do not come up; see " + directory.resolve("logs"));
            }
        }
    }

    private static int members(Admin admin) {
        try {
            return admin.describeCluster().nodes().get().size();
        } catch (ExecutionException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        }
    }

    void close() {
        nodes.forEach(node -> node.process.kill());
        nodes.forEach(node -> node.proxies.values().forEach(TcpProxy::close));
    }

    private static String listener(String client) {
        return client.toUpperCase(Locale.ROOT).replace("-", "");
    }

    private static void format(Broker node, String cluster) {
        try (PrintStream quiet = new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8)) {
            new Formatter()
                    .setPrintStream(quiet)
                    .setNodeId(node.id)
                    .setClusterId(cluster)
                    .addDirectory(node.data().toString())
                    .setMetadataLogDirectory(node.data().toString())
                    .setControllerListenerName("CONTROLLER")
                    .run();
        } catch (Exception e) {
            throw new IllegalStateException("the broker's directory cannot be formatted", e);
        }
    }

    private void write(Broker node) {
        try (Writer writer = Files.newBufferedWriter(node.settingsFile())) {
            settings(node).store(writer, null);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Properties settings(Broker node) {
        String voters = nodes.stream()
                .map(each -> each.id + "@127.0.0.1:" + each.controllerPort)
                .collect(Collectors.joining(","));
        String replicas = Integer.toString(Math.min(3, nodes.size()));
        String inSync = nodes.size() > 1 ? "2" : "1";
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", Integer.toString(node.id));
        settings.put("controller.quorum.voters", voters);
        settings.put(
                "listeners",
                node.ports.entrySet().stream()
                                .map(entry -> entry.getKey() + "://127.0.0.1:" + entry.getValue())
                                .collect(Collectors.joining(","))
                        + ",CONTROLLER://127.0.0.1:" + node.controllerPort);
        settings.put(
                "advertised.listeners",
                node.ports.keySet().stream().map(node::advertised).collect(Collectors.joining(",")));
        settings.put(
                "listener.security.protocol.map",
                node.ports.keySet().stream()
                                .map(name -> name + (clients.contains(name) ? ":SASL_PLAINTEXT" : ":PLAINTEXT"))
                                .collect(Collectors.joining(","))
                        + ",CONTROLLER:PLAINTEXT");
        for (String client : clients) {
            String listener = "listener.name." + client.toLowerCase(Locale.ROOT) + ".";
            settings.put(listener + "sasl.enabled.mechanisms", "PLAIN");
            settings.put(listener + "plain.sasl.jaas.config", users.serverJaas());
            settings.put(listener + "plain.sasl.server.callback.handler.class", FileUsers.class.getName());
        }
        settings.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
        settings.put("allow.everyone.if.no.acl.found", "true");
        settings.put("super.users", "User:ANONYMOUS");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("inter.broker.listener.name", PEERS);
        settings.put("log.dirs", node.data().toString());
        settings.put("offsets.topic.replication.factor", replicas);
        settings.put("transaction.state.log.replication.factor", replicas);
        settings.put("transaction.state.log.min.isr", inSync);
        settings.put("share.coordinator.state.topic.replication.factor", replicas);
        settings.put("share.coordinator.state.topic.min.isr", inSync);
        settings.put("min.insync.replicas", inSync);
        settings.put("replica.lag.time.max.ms", "4000");
        settings.put("offsets.topic.num.partitions", "3");
        settings.put("transaction.state.log.num.partitions", "3");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("auto.create.topics.enable", "false");
        settings.put("broker.session.timeout.ms", "3000");
        settings.put("broker.heartbeat.interval.ms", "500");
        settings.put("log.cleaner.dedupe.buffer.size", "4194304");
        settings.put("num.network.threads", "1");
        settings.put("num.io.threads", "4");
        return settings;
    }
}
