package dev.postonce.systemtests.harness;

import dev.postonce.runtime.Secret;
import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.AppImage;
import dev.postonce.standalone.infra.Database;
import dev.postonce.standalone.infra.FileTrees;
import dev.postonce.standalone.process.Orphans;
import dev.postonce.standalone.up.ClassArchive;
import dev.postonce.standalone.up.Distribution;
import dev.postonce.standalone.up.JavaCommand;
import dev.postonce.standalone.up.StartMode;
import dev.postonce.standalone.verify.ResourceLevels;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The whole pipeline as real processes on loopback: PostgreSQL, one or three brokers, the services from their runnable
 * jars, the sandbox; with a proxy on each way between them. It stays warm over many faults.
 *
 * <pre>{@code
 * try (Cluster cluster = Cluster.start(ClusterPlan.named("example"))) {
 *     cluster.service(Part.RELAY).kill();
 *     cluster.link(new Link("relay", Link.Peer.KAFKA)).fault(LinkFault.of(LinkFault.Mode.PARTITION));
 *     cluster.heal();
 *     cluster.awaitHealthy();
 * }
 * }</pre>
 */
public final class Cluster implements AutoCloseable {

    private static final Duration HEALTHY_WITHIN = Duration.ofSeconds(240);
    private static final long TICK_MS = 100;
    /** A process that is started a hundred times is to start, and not to collect: a heap that grows from little costs both. */
    private static final List<String> ROOM = List.of("-Xms112m", "-Xmn56m");

    private final ClusterPlan plan;
    private final StandaloneHome home;
    private final StackPorts ports;
    private final Tenants tenants;
    private final Distribution distribution = Distribution.find();
    private final Path apps;
    private volatile PostgresNode postgres;
    private final Brokers brokers;
    private final Map<String, ServiceNode> services = new LinkedHashMap<>();
    private final Map<Part, AppImage> images = new EnumMap<>(Part.class);
    private final Map<Instance, Integer> secondPorts = new HashMap<>();
    private final Map<Link, TcpProxy> proxies = new HashMap<>();
    private final Set<Planted> planted = ConcurrentHashMap.newKeySet();
    private final ResourceLevels levels = ResourceLevels.whenQuiet();
    private final Thread hook = new Thread(this::killAll, "end-cluster");
    private final ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor(runnable -> {
        Thread thread = new Thread(runnable, "cluster-keeper");
        thread.setDaemon(true);
        return thread;
    });

    private Cluster(ClusterPlan plan) {
        this.plan = plan;
        this.home = new StandaloneHome(Path.of("target/clusters", Fork.own(plan.name())));
        Orphans.endAll(home);
        deleteOld(home.root());
        PrivateFiles.directory(home.run());
        PrivateFiles.directory(home.logs());
        this.apps = distribution.apps(home);
        Preparation.once(distribution, apps);
        this.ports = FreePorts.ofStack();
        this.tenants = new Tenants(home.secrets());
        this.postgres = PostgresNode.primary(home, apps, ports, tenants);
        postgres.settings(plan.postgresSettings());
        this.brokers = new Brokers(
                home.root(),
                plan.brokers(),
                new KafkaUsers(home.secrets(), plan.clients()),
                plan.clients(),
                brokerCommand(),
                plan.seed());
        Runtime.getRuntime().addShutdownHook(hook);
    }

    public static Cluster start(ClusterPlan plan) {
        Cluster cluster = new Cluster(plan);
        try {
            cluster.startAll();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll() {
        postgres.start();
        new Database(ports, tenants.databasePassword()).ensure();
        brokers.start();
        proxies.put(Link.UPSTREAM, new TcpProxy("upstream", ports.of(Part.INGEST), plan.seed()));
        for (Instance instance : plan.services()) {
            ServiceNode node = node(instance);
            services.put(instance.name(), node);
            if (!plan.later().contains(instance)) {
                node.start();
            }
        }
        keeper.scheduleWithFixedDelay(this::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
        awaitHealthy();
    }

    private ServiceNode node(Instance instance) {
        Part part = instance.part();
        int port = portOf(instance);
        PrivateFiles.directory(home.serviceData(instance));
        return new ServiceNode(
                instance, port, home.root(), () -> command(instance), new ServiceSettings(this, instance).variables());
    }

    private List<String> command(Instance instance) {
        AppImage image = images.computeIfAbsent(instance.part(), part -> distribution.image(part, apps));
        ClassArchive archive = ClassArchive.of(image, apps);
        List<String> command =
                new ArrayList<>(JavaCommand.of(home, instance, archive.options(StartMode.USE), Map.of()));
        if (instance.part() != Part.SANDBOX) {
            command.addAll(ROOM);
        }
        command.addAll(services.get(instance.name()).failPoints().options());
        command.addAll(plan.jvmOptions());
        command.addAll(List.of("-jar", image.jar().toString()));
        return command;
    }

    private List<String> brokerCommand() {
        String classPath = Preparation.standalone(distribution, apps).jar().toString();
        ClassArchive archive = ClassArchive.ofClassPath(apps, classPath);
        List<String> command = new ArrayList<>(
                JavaCommand.of(home, Instance.first(Part.KAFKA), archive.options(StartMode.USE), Map.of()));
        // An archive holds for what only adds to its class path.
        String own = Path.of("target/test-classes").toAbsolutePath().toString();
        command.addAll(List.of("-Dpostonce.log.level=WARN", "-cp", classPath + File.pathSeparator + own));
        return command;
    }

    private void tick() {
        try {
            services.values().forEach(ServiceNode::startAgainIfDead);
        } catch (RuntimeException e) {
            // A start that failed is tried again with the next tick.
            System.out.println("cluster: " + e);
        }
    }

    private static void deleteOld(Path directory) {
        try {
            FileTrees.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public ClusterPlan plan() {
        return plan;
    }

    public StandaloneHome home() {
        return home;
    }

    int portOf(Instance instance) {
        return instance.number() == 1
                ? ports.of(instance.part())
                : secondPorts.computeIfAbsent(
                        instance, second -> FreePorts.take(1).get(0));
    }

    public Tenants tenants() {
        return tenants;
    }

    public PostgresNode postgres() {
        return postgres;
    }

    public Brokers brokers() {
        return brokers;
    }

    public ServiceNode service(Part part) {
        return service(Instance.first(part));
    }

    public ServiceNode service(Instance instance) {
        ServiceNode node = services.get(instance.name());
        if (node == null) {
            throw new IllegalArgumentException(instance.name() + " is not in the plan");
        }
        return node;
    }

    public Collection<ServiceNode> services() {
        return services.values();
    }

    /** The proxies of a way; several where there are several brokers. */
    public List<TcpProxy> links(Link link) {
        return link.peer() == Link.Peer.KAFKA ? brokers.proxies(link.client()) : List.of(link(link));
    }

    public TcpProxy link(Link link) {
        if (link.peer() == Link.Peer.KAFKA) {
            return brokers.proxies(link.client()).get(0);
        }
        return proxies.computeIfAbsent(
                link,
                fresh -> new TcpProxy(
                        fresh.toString(),
                        fresh.peer() == Link.Peer.POSTGRES ? ports.of(Part.POSTGRES) : ports.of(Part.SANDBOX),
                        plan.seed()));
    }

    /** What upstreams submit to. */
    public String intakeUrl() {
        return "http://127.0.0.1:" + link(Link.UPSTREAM).port();
    }

    /** From now on every service reaches that server; open connections end. */
    public void failOver(PostgresNode next) {
        PostgresNode before = postgres;
        postgres = next;
        before.kill();
        proxies.forEach((link, proxy) -> {
            if (link.peer() == Link.Peer.POSTGRES) {
                proxy.target(next.port());
                proxy.breakOpen();
            }
        });
    }

    public Secret databasePassword() {
        return tenants.databasePassword();
    }

    /** Whatever must never stand in a log. */
    public List<String> canaries() {
        List<String> canaries = new ArrayList<>(tenants.canaries());
        canaries.addAll(brokers.users().passwords());
        return canaries;
    }

    /** Records that no service wrote; each has to be found, and parked by each of its readers. */
    public Set<Planted> planted() {
        return planted;
    }

    /** What each process held when an audit first looked at it. */
    public ResourceLevels levels() {
        return levels;
    }

    public String sandboxUrl() {
        return service(Part.SANDBOX).url();
    }

    /**
     * Mends all links, wakes what is frozen, disarms every point, starts what is down and ends what only a test started.
     * Faults at the sandbox stay.
     */
    public void heal() {
        proxies.values().forEach(TcpProxy::heal);
        for (String client : plan.clients()) {
            brokers.proxies(client).forEach(TcpProxy::heal);
        }
        brokers.nodes().forEach(node -> node.fromPeers().heal());
        brokers.users().knowAll();
        for (ServiceNode node : services.values()) {
            node.failPoints().disarm();
            node.process().thaw();
            if (!plan.runs(node.name())) {
                node.stop();
            } else if (!node.isWanted()) {
                node.start();
            }
        }
        if (!postgres.process().isAlive()) {
            postgres.start();
        }
        for (Brokers.Broker broker : brokers.nodes()) {
            broker.process().thaw();
            if (!broker.process().isAlive()) {
                broker.start();
            }
        }
    }

    public void awaitHealthy() {
        brokers.awaitUp();
        for (ServiceNode node : services.values()) {
            if (node.isWanted()) {
                node.awaitHealthy(HEALTHY_WITHIN);
            }
        }
    }

    @Override
    public void close() {
        killAll();
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The JVM is ending, and the hook finds the work done.
        }
    }

    /** Nobody looks at the data after a cluster's end, so nothing has to end in order. */
    private synchronized void killAll() {
        keeper.shutdownNow();
        try {
            keeper.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        services.values().forEach(ServiceNode::killAndHold);
        brokers.close();
        postgres.kill();
        proxies.values().forEach(TcpProxy::close);
    }
}
