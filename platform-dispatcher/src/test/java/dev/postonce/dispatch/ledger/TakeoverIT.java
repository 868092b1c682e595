package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.DispatchState;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.testkit.Node;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.dispatch.testkit.WrappedConnector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;

/** Several dispatchers, and what becomes of the work of one that dies, sleeps or stops. */
class TakeoverIT extends LedgerOnPostgres {

    private final List<Thread> stuck = java.util.Collections.synchronizedList(new ArrayList<>());

    @Test
    void two_dispatchers_share_the_work_and_never_a_target() {
        Node one = node().start();
        Node two = node().start();
        Tasks.Sample[] all = new Tasks.Sample[30];
        for (int i = 0; i < all.length; i++) {
            all[i] = Tasks.task("race-" + i).platforms(WORDPRESS, WEBHOOK);
        }
        one.submit(all);
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(() -> assertThat(
                        one.count("select count(*) from dispatch.target where state = 'published'"))
                .isEqualTo(60));
        // A busy machine can let a request run into its time-out; what follows is a resend or a look-up, never a second
        // post.
        assertThat(one.count("select count(*) from dispatch.attempt where resend_of is null and settled_as = 'done'"
                        + " or settled_as in ('found', 'resent')"))
                .isEqualTo(60);
        for (Tasks.Sample sample : all) {
            assertThat(sandbox.posts("main", sample.externalId())).hasSize(1);
            assertThat(sandbox.deliveries("hook", sample.externalId()).stream()
                            .map(delivery -> delivery.path("webhook_id").stringValue())
                            .distinct())
                    .hasSize(1);
        }
        assertThat(two.count("select count(*) from dispatch.instance where ended_at is null"))
                .isEqualTo(2);
    }

    @Test
    void of_tasks_with_one_slug_one_is_posted_and_the_others_fail() {
        Node one = node();
        Node two = node();
        Tasks.Sample[] rivals = new Tasks.Sample[8];
        for (int i = 0; i < rivals.length; i++) {
            rivals[i] = Tasks.task("rival-" + i).slug("big-sale");
        }
        one.submit(rivals);
        one.start();
        two.start();
        Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> assertThat(
                        one.count("select count(*) from dispatch.target where state in ('published', 'failed')"))
                .isEqualTo(8));
        assertThat(one.count("select count(*) from dispatch.target where error_code = 'slug_taken'"))
                .isEqualTo(7);
        assertThat(sandbox.posts("main"))
                .singleElement()
                .satisfies(post -> assertThat(post.path("slug").stringValue()).isEqualTo("big-sale"));
    }

    @Test
    void a_dispatcher_that_dies_before_it_records_the_result_is_taken_over_without_a_second_post() {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Node doomed = node(standard -> List.of(held(standard.get(0), sent, goOn), standard.get(1)))
                .start();
        doomed.submit(Tasks.task("orphan"));
        assertThat(awaitLatch(sent)).isTrue();
        doomed.cutOff();
        goOn.countDown();
        doomed.crash();

        Node heir = node().start();
        await(heir, "orphan", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "orphan")).hasSize(1);
        assertThat(heir.count("select count(*) from dispatch.attempt")).isEqualTo(1);
        assertThat(events(heir, "orphan/wordpress"))
                .extracting(DispatchState::state)
                .containsExactly("pending", "running", "in_doubt", "published");
    }

    @Test
    void a_sender_of_another_host_that_fell_silent_before_sending_is_for_a_person() {
        Node heir = node();
        heir.submit(Tasks.task("stranger").platforms(WORDPRESS, WEBHOOK));
        inDoubtOf(heir, "stranger", "elsewhere", 1);
        heir.start();
        // The webhook dedupes, so nothing must be proved; at WordPress nothing is there, and nothing proves the rest.
        await(heir, "stranger", WEBHOOK, TargetState.PUBLISHED);
        await(heir, "stranger", WORDPRESS, TargetState.AWAITING_OPERATOR);
        assertThat(heir.column("error_code", "stranger", WORDPRESS)).isEqualTo("sender_unproven");
        assertThat(sandbox.posts("main", "stranger")).isEmpty();
        heir.submit(Tasks.task("stranger").version(2).title("New").platforms(WORDPRESS, WEBHOOK));
        await(heir, "stranger", WORDPRESS, TargetState.AWAITING_OPERATOR);

        // Its supervisor says that it ended: now absence can be proved, and the newest version goes out.
        database.execute("update dispatch.instance set ended_at = clock_timestamp() where host_identity = 'elsewhere'");
        await(heir, "stranger", WORDPRESS, TargetState.PUBLISHED);
        assertThat(heir.column("shown_task_version", "stranger", WORDPRESS)).isEqualTo("2");
        assertThat(sandbox.posts("main", "stranger")).hasSize(1);
    }

    @Test
    void a_sender_of_this_host_whose_process_is_gone_is_taken_over() {
        Node heir = node();
        heir.submit(Tasks.task("gone").platforms(WORDPRESS, WEBHOOK));
        inDoubtOf(heir, "gone", ProcessIdentity.ofThisProcess().hostIdentity(), 999_999_999L);
        heir.start();
        await(heir, "gone", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "gone")).hasSize(1);
        assertThat(heir.count("select count(*) from dispatch.instance where ended_how = 'process_gone'"))
                .isEqualTo(1);
    }

    /** Found by the simulation: the database was away when a living sender wanted to write its outcome. */
    @Test
    void a_sender_that_lives_and_could_not_write_its_outcome_says_at_least_that_it_is_through() {
        Node heir = node();
        heir.submit(Tasks.task("untold").platforms(WORDPRESS, WEBHOOK));
        inDoubtOf(heir, "untold", "elsewhere", 1);
        UUID sender =
                heir.jdbc.queryForObject("select owner from dispatch.attempt where platform = 'wordpress'", UUID.class);
        JdbcInstances living =
                new JdbcInstances(heir.jdbc, ProcessIdentity.ofThisProcess(), Objects.requireNonNull(sender), "living");
        List<UUID> attempts = heir.jdbc.queryForList("select attempt_id from dispatch.attempt", UUID.class);
        new JdbcInstances(heir.jdbc, ProcessIdentity.ofThisProcess(), UUID.randomUUID(), "other").through(attempts);
        assertThat(heir.count("select count(*) from dispatch.attempt where sender_done_at is not null"))
                .isZero();
        living.through(attempts);
        heir.start();
        await(heir, "untold", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "untold")).hasSize(1);
    }

    /** The rows of a dispatcher that wrote its attempt, and was never heard of again. */
    private void inDoubtOf(Node node, String externalId, String host, long pid) {
        Node ghost =
                node(standard -> standard.stream().map(this::deaf).toList()).start();
        for (String platform : List.of(WORDPRESS, WEBHOOK)) {
            await(node, externalId, platform, TargetState.RUNNING);
        }
        JdbcTemplate superuser = new JdbcTemplate(database.asSuperuser());
        // The ghost's own threads are stuck for good; its row becomes the one of a process that is told apart.
        superuser.update(
                "update dispatch.instance set host_identity = ?, pid = ?, process_start = 'ticks:1',"
                        + " heartbeat_at = now() - interval '1 hour' where instance_id = ?",
                host,
                pid,
                ghost.instanceId);
        superuser.update(
                "update dispatch.target set lease_until = now() - interval '1 second', lease_token = -1"
                        + " where external_id = ?",
                externalId);
        stuck.forEach(Thread::interrupt);
        ghost.dispatcher().stop();
        superuser.update(
                "update dispatch.instance set ended_at = null, ended_how = null where instance_id = ?",
                ghost.instanceId);
        superuser.update("update dispatch.attempt set late_outcome = null, late_at = null, sender_done_at = null");
    }

    private Connector deaf(Connector inner) {
        return new WrappedConnector(inner) {
            @Override
            public Outcome send(Job job, Account account, SendGuard guard) {
                stuck.add(Thread.currentThread());
                try {
                    new CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    // The test is through with it.
                }
                return new Outcome.NotSent("deaf", null);
            }
        };
    }

    @Test
    void a_sender_that_was_overtaken_moves_nothing_with_its_late_result() {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Node node = node(standard -> List.of(held(standard.get(0), sent, goOn), standard.get(1)))
                .start();
        node.submit(Tasks.task("paused"));
        assertThat(awaitLatch(sent)).isTrue();
        database.execute("update dispatch.target set lease_token = nextval('dispatch.fencing_token'),"
                + " lease_owner = gen_random_uuid(), lease_until = now() + interval '2 seconds'");
        goOn.countDown();
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(
                        node.count("select count(*) from dispatch.attempt where late_outcome = 'published'"))
                .isEqualTo(1));
        assertThat(node.state("paused", WORDPRESS)).isEqualTo(TargetState.RUNNING);
        assertThat(node.meters
                        .counter("postonce.dispatch.attempts", "platform", WORDPRESS, "outcome", "fenced")
                        .count())
                .isEqualTo(1);
        await(node, "paused", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "paused")).hasSize(1);
    }

    @Test
    void a_graceful_stop_lets_what_runs_be_recorded_and_ends_the_instance() {
        CountDownLatch sent = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Node node = node(standard -> List.of(held(standard.get(0), sent, goOn), standard.get(1)))
                .start();
        node.submit(Tasks.task("graceful"));
        assertThat(awaitLatch(sent)).isTrue();
        Thread stopper = new Thread(() -> node.dispatcher().stop());
        stopper.start();
        goOn.countDown();
        join(stopper);
        assertThat(node.state("graceful", WORDPRESS)).isEqualTo(TargetState.PUBLISHED);
        assertThat(node.count("select count(*) from dispatch.instance where ended_how = 'stopped'"))
                .isEqualTo(1);
    }

    /** Sends at once, and holds the result back. */
    private static Connector held(Connector inner, CountDownLatch sent, CountDownLatch goOn) {
        return new WrappedConnector(inner) {
            @Override
            public Outcome send(Job job, Account account, SendGuard guard) {
                Outcome outcome = super.send(job, account, guard);
                sent.countDown();
                awaitLatch(goOn);
                return outcome;
            }
        };
    }

    private static void join(Thread thread) {
        try {
            thread.join(30_000);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
