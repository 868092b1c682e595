package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.AppImage;
import dev.postonce.standalone.infra.Database;
import dev.postonce.standalone.infra.KafkaBroker;
import dev.postonce.standalone.infra.PostgresServer;
import dev.postonce.standalone.process.LogTail;
import dev.postonce.standalone.process.Orphans;
import dev.postonce.standalone.process.Supervisor;
import dev.postonce.standalone.process.Waiting;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.slf4j.LoggerFactory;

/** The order in which a stack comes up. The caller holds the home's lock. */
final class StackStarter {

    private static final Duration INFRASTRUCTURE_PATIENCE = Duration.ofSeconds(120);
    /** A part that dies this often before it is of use will not get better by itself. */
    private static final int HOPELESS = 4;

    private final StandaloneHome home;
    private final StackPorts ports;
    private final Distribution distribution;
    private final Supervisor supervisor;
    private final Stack.Progress progress;
    private final Map<String, String> environment;
    private final StartMode mode;

    StackStarter(
            StandaloneHome home,
            StackPorts ports,
            Distribution distribution,
            Supervisor supervisor,
            Stack.Progress progress,
            Map<String, String> environment,
            StartMode mode) {
        this.home = home;
        this.ports = ports;
        this.distribution = distribution;
        this.supervisor = supervisor;
        this.progress = progress;
        this.environment = environment;
        this.mode = mode;
    }

    /** Starts everything; the services may need a moment more until they are healthy. */
    void start(Collection<Instance> services) {
        services.forEach(service -> distribution.requireBuilt(service.part()));
        // The first logger of a process is not to be made by two threads at once.
        LoggerFactory.getILoggerFactory();
        PrivateFiles.directory(home.logs());
        for (String orphan : Orphans.endAll(home)) {
            progress.accept("ended " + orphan + ", left by an earlier run");
        }
        Ports.requireFree(ports, services, home);
        DevSecrets secrets = new DevSecrets(home, new SecureRandom());
        secrets.databasePassword();
        DevTenant tenant = new DevTenant(home, secrets);
        tenant.write(ports);

        Path apps = distribution.apps(home);
        CompletableFuture<Void> postgres = run("postgres", () -> startPostgres(apps));
        CompletableFuture<Void> kafka = run("kafka", () -> startKafka(apps));
        Map<Part, AppImage> images = images(services, apps);
        // They need Kafka only some seconds after they began, and wait for it themselves.
        join(postgres);

        ServiceChildren children = new ServiceChildren(home, ports, secrets, tenant, environment);
        for (Instance service : services) {
            AppImage image = images.get(service.part());
            if (image == null) {
                throw new IllegalStateException("each service's image was unpacked above");
            }
            PrivateFiles.directory(home.serviceData(service));
            ClassArchive archive = ClassArchive.of(image, apps);
            supervisor.keep(children.child(service, image, archive.options(mode), patience()));
        }
        if (!images.isEmpty()) {
            progress.accept("services are starting: "
                    + String.join(", ", services.stream().map(Instance::name).toList()));
        }
        join(kafka);
    }

    private Map<Part, AppImage> images(Collection<Instance> services, Path apps) {
        Map<Part, AppImage> images = new EnumMap<>(Part.class);
        for (Instance service : services) {
            images.computeIfAbsent(service.part(), part -> distribution.image(part, apps));
        }
        return images;
    }

    private void startPostgres(Path apps) {
        PostgresServer server = PostgresServer.prepare(home, apps);
        supervisor.keep(server.child(ports));
        Database database = Database.of(home);
        awaitUse(Part.POSTGRES, database::answers);
        database.ensure();
        progress.accept("PostgreSQL is up on port " + ports.of(Part.POSTGRES));
    }

    private void startKafka(Path apps) {
        KafkaBroker broker = KafkaBroker.prepare(home, ports);
        String classPath = Distribution.ownClassPath(apps);
        ClassArchive archive = ClassArchive.ofClassPath(apps, classPath);
        List<String> java =
                new ArrayList<>(JavaCommand.of(home, Instance.first(Part.KAFKA), archive.options(mode), environment));
        java.addAll(List.of("-Dpostonce.log.level=WARN", "-cp", classPath));
        supervisor.keep(broker.child(java, patience()));
        try (Admin admin = KafkaBroker.admin(ports)) {
            awaitUse(Part.KAFKA, () -> KafkaBroker.answers(admin));
            List<String> created = KafkaBroker.ensureTopics(admin);
            progress.accept("Kafka is up on port " + ports.of(Part.KAFKA)
                    + (created.isEmpty() ? "" : ", " + created.size() + " topics made"));
        }
    }

    /** Longer than a service gives its own shutdown. */
    private Duration patience() {
        return mode == StartMode.PREPARE ? Duration.ofMinutes(5) : Duration.ofSeconds(30);
    }

    private void awaitUse(Part part, BooleanSupplier answers) {
        boolean inTime = Waiting.until(
                INFRASTRUCTURE_PATIENCE, () -> supervisor.restarts(part.label()) >= HOPELESS || answers.getAsBoolean());
        if (!inTime || supervisor.restarts(part.label()) >= HOPELESS) {
            throw new StartFailedException(part.label() + " does not come up. The end of " + home.log(part) + ":\n"
                    + LogTail.of(home.log(part)));
        }
    }

    private static CompletableFuture<Void> run(String name, Runnable step) {
        return CompletableFuture.runAsync(step, runnable -> new Thread(runnable, "start-" + name).start());
    }

    private static void join(CompletableFuture<Void> step) {
        try {
            step.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw e;
        }
    }
}
