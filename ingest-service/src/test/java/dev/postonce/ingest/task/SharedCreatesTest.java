package dev.postonce.ingest.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.task.JdbcTaskChunks.Line;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionSynchronizationManager;

class SharedCreatesTest {

    private static final Instant NOW = Instant.parse("2026-11-29T00:00:00Z");
    private static final Principal CMS = new Principal("alpha", "cms", "cmskey", Set.of("submit"));
    private static final Principal OTHER = new Principal("beta", "cms", "otherkey", Set.of("submit"));

    /** Statements that end when the test lets them. */
    private static final class Database {

        private final Semaphore ends = new Semaphore(0);
        private final List<Set<UUID>> statements = new CopyOnWriteArrayList<>();
        private final Set<UUID> taken = new HashSet<>();
        private final AtomicReference<Throwable> fault = new AtomicReference<>();

        Optional<Created> alone(NewTask task, KeyBinding binding, AuditRow audit) {
            statements.add(Set.of(task.taskId()));
            ends.acquireUninterruptibly();
            if (taken.contains(task.taskId())) {
                throw new DuplicateKeyException("taken");
            }
            return Optional.of(made(task.taskId()));
        }

        Map<UUID, Created> together(List<Line> lines) {
            Map<UUID, Created> made = new HashMap<>();
            lines.forEach(
                    line -> made.put(line.task().taskId(), made(line.task().taskId())));
            statements.add(Set.copyOf(made.keySet()));
            ends.acquireUninterruptibly();
            Throwable planned = fault.getAndSet(null);
            if (planned instanceof Error error) {
                throw error;
            }
            if (planned != null || made.keySet().stream().anyMatch(taken::contains)) {
                throw new DuplicateKeyException("one of them is taken");
            }
            return made;
        }

        private static Created made(UUID id) {
            return new Created(id.toString(), null, null);
        }
    }

    private final Database database = new Database();
    private final SharedCreates shared = new SharedCreates(database::alone, database::together);
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        database.ends.release(1_000_000);
        threads.shutdownNow();
    }

    private static UUID id(int number) {
        return new UUID(0, number);
    }

    private Optional<Created> create(Principal caller, UUID id, String data) {
        Exchange exchange = Exchange.ofWrite("r-" + id, caller, null);
        KeyBinding binding =
                new KeyBinding(exchange, caller, TaskIntake.ROUTE, Duration.ofDays(7), NOW, Outcome.CREATED, 201);
        AuditRow audit = new AuditRow(exchange, NOW, Outcome.CREATED, 201, null, 1L, null);
        return shared.create(new NewTask(id, id, null, null, null, data), binding, audit);
    }

    private Future<Optional<Created>> start(Principal caller, int number) {
        return threads.submit(() -> create(caller, id(number), "{}"));
    }

    /** Two statements are under way, and the next of the caller wait. */
    private List<Future<Optional<Created>>> startWaiting(int count) {
        List<Future<Optional<Created>>> started = new ArrayList<>();
        for (int i = 1; i <= 2; i++) {
            int statements = i;
            started.add(start(CMS, i));
            await().until(() -> database.statements.size() == statements);
        }
        for (int i = 3; i < 3 + count; i++) {
            int waiting = i - 2;
            started.add(start(CMS, i));
            await().until(() -> shared.waiting() == waiting);
        }
        return started;
    }

    @Test
    void what_comes_by_itself_goes_at_once_in_a_statement_of_its_own() {
        database.ends.release();

        assertThat(create(CMS, id(1), "{}")).isPresent();

        assertThat(database.statements).containsExactly(Set.of(id(1)));
        assertThat(shared.lanes()).isZero();
    }

    @Test
    void what_comes_while_two_statements_are_under_way_goes_together_with_the_next() throws Exception {
        List<Future<Optional<Created>>> started = startWaiting(5);
        database.ends.release();
        await().until(() -> database.statements.size() == 3);
        database.ends.release(2);

        for (int i = 0; i < started.size(); i++) {
            assertThat(started.get(i).get().orElseThrow().baseUrl())
                    .isEqualTo(id(i + 1).toString());
        }
        assertThat(database.statements.get(2)).hasSize(5);
        assertThat(database.statements).hasSize(3);
        assertThat(shared.lanes()).isZero();
    }

    @Test
    void one_that_cannot_be_stored_spoils_its_company_nothing_and_is_refused_alone() throws Exception {
        database.taken.add(id(4));
        List<Future<Optional<Created>>> started = startWaiting(4);
        database.ends.release(100);

        for (int i = 0; i < started.size(); i++) {
            Future<Optional<Created>> one = started.get(i);
            if (i + 1 == 4) {
                assertThatThrownBy(one::get).hasCauseInstanceOf(DuplicateKeyException.class);
            } else {
                assertThat(one.get()).isPresent();
            }
        }
        assertThat(shared.lanes()).isZero();
    }

    @Test
    void an_error_of_whoever_sends_leaves_nobody_waiting() throws Exception {
        List<Future<Optional<Created>>> started = startWaiting(3);
        database.fault.set(new AssertionError("planned"));
        database.ends.release(100);

        int failed = 0;
        for (Future<Optional<Created>> one : started) {
            try {
                assertThat(one.get()).isPresent();
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(AssertionError.class);
                failed++;
            }
        }
        assertThat(failed).isEqualTo(1);
        assertThat(shared.lanes()).isZero();
    }

    @Test
    void submissions_of_different_callers_never_share_and_never_wait_for_each_other() throws Exception {
        List<Future<Optional<Created>>> started = startWaiting(2);
        started.add(start(OTHER, 100));
        await().until(() -> database.statements.size() == 3);

        assertThat(database.statements.get(2)).containsExactly(id(100));
        database.ends.release(100);
        for (Future<Optional<Created>> one : started) {
            assertThat(one.get()).isPresent();
        }
    }

    @Test
    void a_statement_takes_as_many_as_its_size_allows() throws Exception {
        List<Future<Optional<Created>>> started = startWaiting(1);
        for (int i = 0; i < 3; i++) {
            UUID large = id(50 + i);
            int waiting = i + 2;
            started.add(threads.submit(() -> create(CMS, large, "x".repeat(300_000))));
            await().until(() -> shared.waiting() == waiting);
        }
        database.ends.release(100);
        for (Future<Optional<Created>> one : started) {
            assertThat(one.get()).isPresent();
        }
        assertThat(database.statements.stream().map(Set::size)).containsExactly(1, 1, 2, 1, 1);
    }

    @Test
    void what_runs_in_a_transaction_of_its_callers_takes_nobody_along() throws Exception {
        List<Future<Optional<Created>>> started = startWaiting(1);
        TransactionSynchronizationManager.setActualTransactionActive(true);
        try {
            database.ends.release(100);
            assertThat(create(CMS, id(77), "{}")).isPresent();
        } finally {
            TransactionSynchronizationManager.setActualTransactionActive(false);
        }
        for (Future<Optional<Created>> one : started) {
            assertThat(one.get()).isPresent();
        }
        assertThat(database.statements).contains(Set.of(id(77)));
    }

    @Test
    void each_of_many_gets_what_is_its_own() throws Exception {
        database.ends.release(1_000_000);
        List<Future<Boolean>> running = new ArrayList<>();
        for (int thread = 0; thread < 16; thread++) {
            int first = 1_000 * (thread + 1);
            running.add(threads.submit(() -> {
                for (int i = 0; i < 300; i++) {
                    UUID own = id(first + i);
                    Optional<Created> created = create(CMS, own, "{}");
                    if (!own.toString().equals(created.orElseThrow().baseUrl())) {
                        return false;
                    }
                }
                return true;
            }));
        }
        for (Future<Boolean> one : running) {
            assertThat(one.get()).isTrue();
        }
        assertThat(database.statements.stream().mapToInt(Set::size).sum()).isEqualTo(16 * 300);
        assertThat(shared.lanes()).isZero();
    }
}
