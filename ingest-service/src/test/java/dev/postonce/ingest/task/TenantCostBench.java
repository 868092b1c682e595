package dev.postonce.ingest.task;

import dev.postonce.contract.Digests;
import dev.postonce.ingest.Intake;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.ingest.storage.WorkerStorage;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.TenantPolicies;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.http.OutgoingPolicy;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What the second line between tenants costs a first submission, side by side in one run; no HTTP in it. Not part of
 * a build: {@code -Dit.test=TenantCostBench}.
 */
class TenantCostBench {

    private static final int ROUNDS = 7;
    private static final int SUBMISSIONS = Integer.getInteger("postonce.bench.submissions", 2_000);
    private static final Principal CALLER = new Principal("alpha", "bench", "benchkey", Set.of("submit"));

    private static final Ids IDS = Ids.random();

    private int round;

    @Test
    void cost_of_the_tenants_setting_and_of_the_policies() {
        JdbcClient requests = Intake.service().bean(JdbcClient.class);
        WorkerStorage workers = Intake.service().bean(WorkerStorage.class);
        TransactionTemplate transactions = Intake.service().bean(TransactionTemplate.class);
        TaskIntake asRequest = intake(requests);
        TaskIntake asOwner = intake(workers.client());
        for (int threads : new int[] {1, 8}) {
            Map<String, List<Double>> micros = new LinkedHashMap<>();
            for (round = 0; round < ROUNDS; round++) {
                guard(false);
                measure(micros, "no row-level security", threads, id -> submit(asOwner, id));
                guard(true);
                measure(micros, "policies, no setting (owner)", threads, id -> submit(asOwner, id));
                measure(
                        micros,
                        "policies, setting in the same round trip",
                        threads,
                        id -> inScope(() -> submit(asRequest, id)));
                measure(
                        micros,
                        "policies, setting by a round trip in a transaction",
                        threads,
                        id -> inScope(() -> transactions.executeWithoutResult(status -> submit(asRequest, id))));
            }
            micros.forEach((name, values) -> System.out.printf(
                    "%d threads, %-50s %7.0f us each, median of %d%n", threads, name, median(values), ROUNDS - 1));
        }
    }

    private interface Submitting {
        void submit(String externalId);
    }

    private void measure(Map<String, List<Double>> micros, String name, int threads, Submitting work) {
        List<Callable<Long>> all = new ArrayList<>();
        for (int thread = 0; thread < threads; thread++) {
            String prefix = "cost-" + threads + "-" + round + "-" + Math.abs(name.hashCode()) + "-" + thread + "-";
            all.add(() -> {
                long start = System.nanoTime();
                for (int i = 0; i < SUBMISSIONS / threads; i++) {
                    work.submit(prefix + i);
                }
                return System.nanoTime() - start;
            });
        }
        double longest =
                Intake.together(all).stream().mapToLong(Long::longValue).max().orElseThrow();
        // The first round warms up.
        if (round > 0) {
            micros.computeIfAbsent(name, key -> new ArrayList<>()).add(longest / 1_000.0 / SUBMISSIONS);
        }
    }

    static void submit(TaskIntake intake, String externalId) {
        TaskSubmission submission = new SubmissionReader(OutgoingPolicy.strict(Duration.ofSeconds(1), 1), 100_000)
                .read(Intake.campaign(externalId));
        intake.submit(Exchange.ofWrite(IDS.next().toString(), CALLER, null), CALLER, submission);
    }

    /** The same each time, under the same key. */
    static void submit(TaskIntake intake, String externalId, String key) {
        TaskSubmission submission = new SubmissionReader(OutgoingPolicy.strict(Duration.ofSeconds(1), 1), 100_000)
                .read(Intake.campaign(externalId));
        Exchange exchange = Exchange.ofWrite(IDS.next().toString(), CALLER, null);
        exchange.brings(new IdempotencyKey(key), Digests.sha256Hex(externalId));
        intake.submit(exchange, CALLER, submission);
    }

    private static void inScope(Runnable work) {
        try (TenantScope scope = TenantScope.enter(CALLER.tenantId())) {
            work.run();
        }
    }

    static TaskIntake intake(JdbcClient jdbc) {
        TaskIntake.Tools tools = new TaskIntake.Tools(
                new ContentCleaner(), IDS, InstantSource.system(), new IntakeMetrics(new SimpleMeterRegistry()));
        JdbcTaskWrites writes = new JdbcTaskWrites(jdbc);
        return new TaskIntake(
                new TaskIntake.Statements(writes, new JdbcTaskChunks(jdbc), new JdbcTaskReads(jdbc)),
                new JdbcRequests(jdbc),
                Intake.service().bean(TransactionTemplate.class),
                Intake.service().bean(TenantPolicies.class),
                new Replays(writes, tools, Duration.ofDays(7)),
                tools);
    }

    private static void guard(boolean on) {
        for (String table :
                List.of("task", "task_content", "target", "outbox_event", "audit", "idempotency_record", "site")) {
            Intake.database()
                    .execute("alter table ingest." + table + (on ? " enable" : " disable") + " row level security");
        }
    }

    private static double median(List<Double> values) {
        double[] sorted = values.stream().mapToDouble(Double::doubleValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
