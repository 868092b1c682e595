package dev.postonce.benchmarks;

import dev.postonce.benchmarks.Capture.Statement;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures and says; docs/benchmarks.md explains each figure. */
@Command(
        name = "testing/benchmarks/run",
        mixinStandardHelpOptions = true,
        description = "Measures the intake beside pgbench, on a PostgreSQL of its own with fsync on.")
public final class Benchmarks implements Callable<Integer> {

    private static final String EMPTY = "bench_empty";
    private static final String FULL = "bench_full";
    private static final long LOG_FLUSH_MS = 500;

    @Option(names = "--root", hidden = true, required = true)
    private Path root = Path.of(".");

    @Option(names = "--work", paramLabel = "DIR", description = "Data; default testing/benchmarks/target/work.")
    private Path work = Path.of("");

    @Option(
            names = "--only",
            split = ",",
            description = "Of a (submissions), b (batches), c (replays), d (many tasks); default all.")
    private Set<String> only = Set.of("a", "b", "c", "d");

    @Option(names = "--clients", split = ",", description = "In this order; default 32,128,1.")
    private List<Integer> clients = List.of(32, 128, 1);

    @Option(names = "--rounds", description = "Of which the medians are taken; default ${DEFAULT-VALUE}.")
    private int rounds = 5;

    @Option(names = "--seconds", description = "For one measurement; default ${DEFAULT-VALUE}.")
    private int seconds = 4;

    @Option(names = "--warm-seconds", description = "At least, before anything is measured; default ${DEFAULT-VALUE}.")
    private int warmSeconds = 60;

    @Option(
            names = "--warm-seconds-max",
            description = "While the service still gets faster; default ${DEFAULT-VALUE}.")
    private int warmSecondsMax = 240;

    @Option(names = "--rows", description = "Tasks in the full table; default ${DEFAULT-VALUE}.")
    private long rows = 10_000_000;

    @Option(names = "--fill", description = "Only fill the full table, which stays for later runs.")
    private boolean fill;

    @Option(
            names = "--jar",
            paramLabel = "FILE",
            description = "Another ingest-service to measure, such as an earlier build.")
    private Path jar = Path.of("");

    @Option(names = "--java-options", description = "Of the service; default ${DEFAULT-VALUE}.")
    private String javaOptions = "-XX:+UseSerialGC -Xmx512m";

    private final AtomicLong numbers = new AtomicLong();

    public static void main(String[] arguments) {
        System.exit(new CommandLine(new Benchmarks()).execute(arguments));
    }

    @Override
    public Integer call() throws IOException, InterruptedException, SQLException {
        if (work.toString().isEmpty()) {
            work = root.resolve("testing/benchmarks/target/work");
        }
        work = work.toAbsolutePath().normalize();
        if (jar.toString().isEmpty()) {
            jar = root.resolve("ingest-service/target/ingest-service-exec.jar");
        }
        if (!fill && only.contains("a") && !Pgbench.isThere()) {
            System.err.println("no pgbench on the path (Debian: postgresql-contrib); nothing was measured");
            return CommandLine.ExitCode.USAGE;
        }
        // Not where an earlier run's numbers have been.
        numbers.set(System.currentTimeMillis() % 1_000_000_000 * 1_000);
        Files.createDirectories(work);
        try (Server server = Server.start(work)) {
            if (fill) {
                fill(server);
            } else {
                measure(server);
            }
        }
        return CommandLine.ExitCode.OK;
    }

    private void fill(Server server) throws IOException, InterruptedException, SQLException {
        server.drop(FULL);
        server.ensure(FULL);
        // The service makes its tables and its tenant.
        Service.start(jar, work, server, FULL, javaOptions()).close();
        ManyTasks.fill(server, FULL, rows);
    }

    private void measure(Server server) throws IOException, InterruptedException, SQLException {
        server.drop(EMPTY);
        server.ensure(EMPTY);
        Report report = new Report();
        Bench.Warming warming = new Bench.Warming(warmSeconds, warmSecondsMax);
        Bench bench = new Bench(server, report, rounds, seconds, clients);
        report.note("bodies of " + Article.bytes() + " bytes; " + rounds + " rounds of " + seconds + " s; service with "
                + javaOptions);
        try (Service service = Service.start(jar, work, server, EMPTY, javaOptions())) {
            PgbenchScript script = capture(server, service, report);
            bench.warm(service, numbers, warming);
            if (only.contains("a")) {
                bench.submissions(service, new Pgbench(server, work, script), EMPTY, numbers);
            }
            if (only.contains("b")) {
                bench.batches(service, numbers, warming);
            }
            if (only.contains("c")) {
                bench.replays(service, numbers);
            }
            if (only.contains("d")) {
                measureFull(server, bench, service);
            }
        }
        Path file = work.resolve("figures.json");
        report.write(file);
        System.out.println("all of it: " + file);
    }

    private void measureFull(Server server, Bench bench, Service empty)
            throws IOException, InterruptedException, SQLException {
        if (server.ensure(FULL)) {
            fill(server);
        }
        try (Service full = Service.start(jar, work, server, FULL, javaOptions())) {
            bench.warm(full, numbers, new Bench.Warming(warmSeconds, warmSecondsMax));
            bench.fullTable(full, empty, numbers);
        }
    }

    private PgbenchScript capture(Server server, Service service, Report report)
            throws IOException, InterruptedException, SQLException {
        server.logStatements(true);
        TimeUnit.MILLISECONDS.sleep(LOG_FLUSH_MS);
        long first = numbers.getAndIncrement();
        long second = numbers.getAndIncrement();
        new Load(service, Bench.CREATED).once(first);
        new Load(service, Bench.CREATED).once(second);
        TimeUnit.MILLISECONDS.sleep(LOG_FLUSH_MS);
        server.logStatements(false);
        Path log = Files.copy(server.log(), work.resolve("captured.json"), StandardCopyOption.REPLACE_EXISTING);
        List<Statement> ofFirst = Capture.ofSubmission(log, Article.externalId(first));
        List<Statement> ofSecond = Capture.ofSubmission(log, Article.externalId(second));
        report.note("a submission is " + ofFirst.size() + " statement(s)");
        try (Connection connection = server.superuser(EMPTY)) {
            return PgbenchScript.of(
                    connection, ofFirst, Article.externalId(first), ofSecond, Article.externalId(second));
        }
    }

    private List<String> javaOptions() {
        return List.of(javaOptions.strip().split("\\s+", -1));
    }
}
