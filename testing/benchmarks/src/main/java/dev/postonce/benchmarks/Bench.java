package dev.postonce.benchmarks;

import java.io.IOException;
import java.sql.SQLException;
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

    /** Until the service's code is compiled; what is measured before would be the compiler. */
    void warm(Service service, AtomicLong numbers, int warmSeconds) throws InterruptedException {
        long from = numbers.get();
        new Load(service, CREATED).run(CLIENTS_MIDDLE, warmSeconds * 1_000L, numbers);
        new Load(service, OK).run(CLIENTS_MIDDLE, warmSeconds * 500L, around(from, numbers.get() - from));
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
                server.execute("postgres", "checkpoint");
                double before = Cpu.secondsOf(server.pid());
                double rate = pgbench.run(database, clients, seconds);
                peer.add(rate);
                peerCpu += Cpu.secondsOf(server.pid()) - before;
                transactions += rate * seconds;
                server.execute("postgres", "checkpoint");
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
    void batches(Service service, AtomicLong numbers, int warmSeconds) throws InterruptedException, SQLException {
        Series lines = new Series();
        Series single = new Series();
        double serviceCpu = 0;
        double serverCpu = 0;
        double stored = 0;
        BatchLoad load = new BatchLoad(service, BATCH_LINES);
        load.run(BATCHES_AT_ONCE, warmSeconds * 500L, numbers);
        for (int round = 0; round < rounds; round++) {
            server.execute("postgres", "checkpoint");
            single.add(new Load(service, CREATED)
                    .run(CLIENTS_MIDDLE, seconds * 1_000L, numbers)
                    .perSecond());
            server.execute("postgres", "checkpoint");
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
    void replays(Service service, AtomicLong numbers) throws InterruptedException, SQLException {
        Series first = new Series();
        Series again = new Series();
        double cpu = 0;
        double answers = 0;
        for (int round = 0; round < rounds; round++) {
            server.execute("postgres", "checkpoint");
            long from = numbers.get();
            first.add(new Load(service, CREATED)
                    .run(CLIENTS_MIDDLE, seconds * 1_000L, numbers)
                    .perSecond());
            server.execute("postgres", "checkpoint");
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
    void fullTable(Service full, Service empty, AtomicLong numbers) throws InterruptedException, SQLException {
        for (int clients : clientCounts) {
            Series inFull = new Series();
            Series inEmpty = new Series();
            for (int round = 0; round < rounds; round++) {
                server.execute("postgres", "checkpoint");
                inEmpty.add(new Load(empty, CREATED)
                        .run(clients, seconds * 1_000L, numbers)
                        .perSecond());
                server.execute("postgres", "checkpoint");
                inFull.add(new Load(full, CREATED)
                        .run(clients, seconds * 1_000L, numbers)
                        .perSecond());
            }
            report.figure("(d) with many tasks, " + clients + " clients ÷ with few", inFull, inEmpty, FULL_GOAL);
        }
    }
}
