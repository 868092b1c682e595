package dev.postonce.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** The measurements. What is compared is measured in turns, so that both meet the same machine. */
final class Bench {

    static final int CREATED = 201;
    static final int OK = 200;
    private static final int CLIENTS_MIDDLE = 32;
    private static final int BATCHES_AT_ONCE = 2;
    private static final double SUBMISSION_GOAL = 0.5;
    private static final double BATCH_GOAL = 5;
    private static final int BATCH_LINES = 500;
    private static final double REPLAY_GOAL = 1.5;
    private static final double FULL_GOAL = 0.85;
    private static final int WINDOW_S = 6;
    private static final int WINDOWS_COMPARED = 3;
    private static final double RISING = 1.03;

    /** How long the service is used before anything counts: at least, and at most while it still gets faster. */
    record Warming(int secondsMin, int secondsMax) {}

    private final Server server;
    private final Report report;
    private final int rounds;
    private final int seconds;
    private final List<Integer> clientCounts;

    Bench(Server server, Report report, int rounds, int seconds, List<Integer> clientCounts) {
        this.server = server;
        this.report = report;
        this.rounds = rounds;
        this.seconds = seconds;
        this.clientCounts = clientCounts;
    }

    /**
     * Until the rate has stopped rising: what is measured before would be the compiler. One checkpoint then, and none
     * while something is measured, so that nobody pays for the other's first touch of a page.
     */
    void warm(Service service, AtomicLong numbers, Warming warming) throws InterruptedException, SQLException {
        List<Double> rates = new ArrayList<>();
        int spent = 0;
        while (spent < warming.secondsMin() || (spent < warming.secondsMax() && isRising(rates))) {
            long from = numbers.get();
            rates.add(new Load(service, CREATED)
                    .run(CLIENTS_MIDDLE, WINDOW_S * 1_000L, numbers)
                    .perSecond());
            new Load(service, OK).run(CLIENTS_MIDDLE, WINDOW_S * 500L, around(from, numbers.get() - from));
            spent += WINDOW_S + WINDOW_S / 2;
        }
        server.execute("postgres", "checkpoint");
        report.note(String.format(
                Locale.ROOT,
                "    warmed for %d s: from %.0f to %.0f submissions/s",
                spent,
                rates.get(0),
                rates.get(rates.size() - 1)));
    }

    /** Whether the last windows were faster than those before them by more than chance. */
    private static boolean isRising(List<Double> rates) {
        int size = rates.size();
        if (size < 2 * WINDOWS_COMPARED) {
            return true;
        }
        return mean(rates.subList(size - WINDOWS_COMPARED, size))
                > RISING * mean(rates.subList(size - 2 * WINDOWS_COMPARED, size - WINDOWS_COMPARED));
    }

    private static double mean(List<Double> rates) {
        return rates.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** (a) Single submissions beside pgbench with the same statements. */
    void submissions(Service service, Pgbench pgbench, String database, AtomicLong numbers)
            throws IOException, InterruptedException, SQLException {
        for (int clients : clientCounts) {
            Series http = new Series();
            Series peer = new Series();
            double serviceCpu = 0;
            double serverCpu = 0;
            double peerCpu = 0;
            double answers = 0;
            double transactions = 0;
            Load.Result last = null;
            for (int round = 0; round < rounds; round++) {
                double before = Cpu.secondsOf(server.pid());
                double rate = pgbench.run(database, clients, seconds);
                peer.add(rate);
                peerCpu += Cpu.secondsOf(server.pid()) - before;
                transactions += rate * seconds;
                before = Cpu.secondsOf(server.pid());
                double serviceBefore = Cpu.secondsOf(service.pid());
                last = new Load(service, CREATED).run(clients, seconds * 1_000L, numbers);
                http.add(last.perSecond());
                serviceCpu += Cpu.secondsOf(service.pid()) - serviceBefore;
                serverCpu += Cpu.secondsOf(server.pid()) - before;
                answers += last.answers();
            }
            report.figure("(a) submissions, " + clients + " clients ÷ pgbench", http, peer, SUBMISSION_GOAL);
            report.note(String.format(
                    Locale.ROOT,
                    "    CPU a submission: service %.2f ms, PostgreSQL %.2f ms (pgbench: %.2f ms); last round p50 %.1f ms, p99 %.1f ms",
                    serviceCpu / answers * 1e3,
                    serverCpu / answers * 1e3,
                    peerCpu / transactions * 1e3,
                    last == null ? 0 : last.p50Ms(),
                    last == null ? 0 : last.p99Ms()));
        }
    }

    /** (b) Lines of batches beside single submissions. */
    void batches(Service service, AtomicLong numbers, Warming warming) throws InterruptedException {
        Series lines = new Series();
        Series single = new Series();
        double serviceCpu = 0;
        double serverCpu = 0;
        double stored = 0;
        BatchLoad load = new BatchLoad(service, BATCH_LINES);
        load.run(BATCHES_AT_ONCE, warming.secondsMin() * 500L, numbers);
        for (int round = 0; round < rounds; round++) {
            single.add(new Load(service, CREATED)
                    .run(CLIENTS_MIDDLE, seconds * 1_000L, numbers)
                    .perSecond());
            double serviceBefore = Cpu.secondsOf(service.pid());
            double serverBefore = Cpu.secondsOf(server.pid());
            long from = numbers.get();
            lines.add(load.run(BATCHES_AT_ONCE, seconds * 1_000L, numbers));
            serviceCpu += Cpu.secondsOf(service.pid()) - serviceBefore;
            serverCpu += Cpu.secondsOf(server.pid()) - serverBefore;
            stored += numbers.get() - from;
        }
        report.figure("(b) lines of batches ÷ single, 32 clients", lines, single, BATCH_GOAL);
        report.note(String.format(
                Locale.ROOT,
                "    %d batches of %d lines at once; CPU a line: service %.2f ms, PostgreSQL %.2f ms",
                BATCHES_AT_ONCE,
                BATCH_LINES,
                serviceCpu / stored * 1e3,
                serverCpu / stored * 1e3));
    }

    /** (c) The same submissions again, under their keys, beside their first time. */
    void replays(Service service, AtomicLong numbers) throws InterruptedException {
        Series first = new Series();
        Series again = new Series();
        double cpu = 0;
        double answers = 0;
        for (int round = 0; round < rounds; round++) {
            long from = numbers.get();
            first.add(new Load(service, CREATED)
                    .run(CLIENTS_MIDDLE, seconds * 1_000L, numbers)
                    .perSecond());
            double before = Cpu.secondsOf(service.pid());
            Load.Result replays =
                    new Load(service, OK).run(CLIENTS_MIDDLE, seconds * 1_000L, around(from, numbers.get() - from));
            again.add(replays.perSecond());
            cpu += Cpu.secondsOf(service.pid()) - before;
            answers += replays.answers();
        }
        report.figure("(c) replays, 32 clients ÷ first times", again, first, REPLAY_GOAL);
        report.note(String.format(Locale.ROOT, "    CPU a replay: service %.2f ms", cpu / answers * 1e3));
    }

    /** The numbers of some submissions, over and over. */
    private static LongSupplier around(long from, long count) {
        AtomicLong turns = new AtomicLong();
        return () -> from + turns.getAndIncrement() % count;
    }

    /** (d) A table with many tasks beside a small one. */
    void fullTable(Service full, Service empty, AtomicLong numbers) throws InterruptedException {
        for (int clients : clientCounts) {
            Series inFull = new Series();
            Series inEmpty = new Series();
            for (int round = 0; round < rounds; round++) {
                inEmpty.add(new Load(empty, CREATED)
                        .run(clients, seconds * 1_000L, numbers)
                        .perSecond());
                inFull.add(new Load(full, CREATED)
                        .run(clients, seconds * 1_000L, numbers)
                        .perSecond());
            }
            report.figure("(d) with many tasks, " + clients + " clients ÷ with few", inFull, inEmpty, FULL_GOAL);
        }
    }
}
