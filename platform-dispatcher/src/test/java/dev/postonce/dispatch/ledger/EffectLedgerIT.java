package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Digests;
import dev.postonce.contract.DispatchState;
import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.testkit.Node;
import dev.postonce.dispatch.testkit.Sandbox;
import dev.postonce.dispatch.testkit.Tasks;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The ledger on a real PostgreSQL, against the sandbox. */
class EffectLedgerIT extends LedgerOnPostgres {

    @Test
    void an_article_reaches_both_platforms_once_and_its_events_tell_the_way() {
        Node node = node().start();
        node.submit(Tasks.task("one").platforms(WORDPRESS, WEBHOOK, "zhihu"));
        await(node, "one", WORDPRESS, TargetState.PUBLISHED);
        await(node, "one", WEBHOOK, TargetState.PUBLISHED);
        assertThat(node.state("one", "zhihu")).isEqualTo(TargetState.NOT_CONFIGURED);
        assertThat(node.column("error_code", "one", "zhihu")).isEqualTo("connector_missing");
        assertThat(sandbox.posts("main", "one")).hasSize(1);
        assertThat(sandbox.deliveries("hook", "one")).singleElement().satisfies(delivery -> {
            assertThat(delivery.path("verified").booleanValue()).isTrue();
            assertThat(delivery.path("webhook_id").stringValue()).endsWith("_v1");
        });
        List<DispatchState> events = events(node, "one/wordpress");
        assertThat(events).extracting(DispatchState::state).containsExactly("pending", "running", "published");
        assertThat(events).extracting(DispatchState::version).containsExactly(1L, 2L, 3L);
        DispatchState last = events.get(2);
        assertThat(last.contentDigest()).isEqualTo(Digests.ofState(last));
        assertThat(last.observedAt()).isNotNull();
        assertThat(last.platformUrl()).contains("/wordpress/main/");
        assertThat(node.column("content_digest", "one", WORDPRESS)).isEqualTo(last.contentDigest());
        assertThat(node.count("select count(*) from dispatch.attempt where settled_at is null"))
                .isZero();
    }

    @Test
    void a_swallowed_answer_is_looked_up_at_wordpress_and_resent_under_its_id_to_a_webhook() {
        sandbox.faults("{\"platforms\":{\"wordpress\":{\"swallow_next\":1},\"webhook\":{\"swallow_next\":1}}}");
        Node node = node().start();
        node.submit(Tasks.task("swallowed").platforms(WORDPRESS, WEBHOOK));
        await(node, "swallowed", WORDPRESS, TargetState.PUBLISHED);
        await(node, "swallowed", WEBHOOK, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "swallowed")).hasSize(1);
        assertThat(node.count("select count(*) from dispatch.attempt where platform = 'wordpress'"))
                .isEqualTo(1);
        assertThat(sandbox.deliveries("hook", "swallowed")).hasSize(2).allSatisfy(delivery -> {
            assertThat(delivery.path("webhook_id").stringValue()).endsWith("_v1");
            assertThat(delivery.path("body_differs").booleanValue()).isFalse();
        });
        assertThat(node.count("select count(distinct request_digest) from dispatch.attempt where platform = 'webhook'"))
                .isEqualTo(1);
        assertThat(events(node, "swallowed/wordpress"))
                .extracting(DispatchState::state)
                .containsExactly("pending", "running", "in_doubt", "published");
    }

    @Test
    void a_post_that_appears_only_after_the_time_out_is_not_made_again() {
        sandbox.faults(
                "{\"platforms\":{\"wordpress\":{\"delay_next\":1,\"delay_ms\":1800,\"delay_when\":\"before\"}}}");
        Node node = node().start();
        node.submit(Tasks.task("late"));
        await(node, "late", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "late")).hasSize(1);
    }

    @Test
    void a_request_that_never_arrived_is_proved_absent_and_sent_again() {
        sandbox.faults("{\"platforms\":{\"wordpress\":{\"drop_next\":1}}}");
        Node node = node().start();
        node.submit(Tasks.task("dropped"));
        await(node, "dropped", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "dropped")).hasSize(1);
        assertThat(node.jdbc.queryForList("select settled_as from dispatch.attempt order by started_at", String.class))
                .containsExactly("absent", "done");
        assertThat(node.count("select count(*) from dispatch.attempt where settled_as = 'absent' and asked >= 2"
                        + " and settled_at >= sender_done_at + interval '1500 ms'"))
                .isEqualTo(1);
    }

    @Test
    void a_rate_limit_and_an_error_before_acting_end_in_one_post() {
        sandbox.faults("{\"platforms\":{\"wordpress\":{\"status_429_next\":1,\"retry_after_s\":1},"
                + "\"webhook\":{\"status_5xx_next\":2}}}");
        Node node = node().start();
        node.submit(Tasks.task("limited").platforms(WORDPRESS, WEBHOOK));
        await(node, "limited", WORDPRESS, TargetState.PUBLISHED);
        await(node, "limited", WEBHOOK, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "limited")).hasSize(1);
        assertThat(node.count("select count(*) from dispatch.attempt where outcome = 'rate_limited'"))
                .isEqualTo(1);
    }

    @Test
    void certainly_not_sent_waits_with_its_reason_and_is_never_in_doubt() {
        Node node = node(Sandbox.accounts("http://127.0.0.1:1")).start();
        node.submit(Tasks.task("refused").platforms(WORDPRESS, WEBHOOK));
        for (String platform : List.of(WORDPRESS, WEBHOOK)) {
            Awaitility.await().atMost(Duration.ofSeconds(20)).untilAsserted(() -> assertThat(
                            node.column("error_code", "refused", platform))
                    .isEqualTo("connect_failed"));
        }
        assertThat(node.count("select count(*) from dispatch.attempt where outcome = 'unknown'"))
                .isZero();
    }

    @Test
    void the_same_article_in_a_newer_version_moves_what_is_shown_without_a_send() {
        Node node = node().start();
        node.submit(Tasks.task("same"));
        await(node, "same", WORDPRESS, TargetState.PUBLISHED);
        node.submit(Tasks.task("same").version(2).platforms(WORDPRESS, WEBHOOK));
        await(node, "same", WEBHOOK, TargetState.PUBLISHED);
        assertThat(node.column("shown_task_version", "same", WORDPRESS)).isEqualTo("2");
        assertThat(node.count("select count(*) from dispatch.attempt where platform = 'wordpress'"))
                .isEqualTo(1);
    }

    @Test
    void updates_withdrawal_and_return_go_to_the_one_post() {
        Node node = node().start();
        Tasks.Sample task = Tasks.task("life").platforms(WORDPRESS, WEBHOOK);
        node.submit(task);
        await(node, "life", WORDPRESS, TargetState.PUBLISHED);
        node.submit(task.version(2).title("Second"));
        awaitShown(node, "life", "2");
        node.submit(task.version(3).title("Second").status("archived"));
        await(node, "life", WORDPRESS, TargetState.WITHDRAWN);
        await(node, "life", WEBHOOK, TargetState.WITHDRAWN);
        node.submit(task.version(4).title("Third"));
        awaitShown(node, "life", "4");
        await(node, "life", WORDPRESS, TargetState.PUBLISHED);
        assertThat(sandbox.posts("main", "life")).singleElement().satisfies(post -> {
            assertThat(post.path("status").stringValue()).isEqualTo("publish");
            assertThat(post.path("slug").stringValue()).isEqualTo("slug-life");
        });
    }

    private static void awaitShown(Node node, String externalId, String version) {
        for (String platform : List.of(WORDPRESS, WEBHOOK)) {
            Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> assertThat(
                            node.column("shown_task_version", externalId, platform))
                    .isEqualTo(version));
        }
    }

    @Test
    void withdrawn_before_it_was_sent_is_never_sent() {
        Node node = node();
        node.submit(Tasks.task("never"));
        node.submit(Tasks.task("never").version(2).status("archived"));
        node.start();
        node.submit(Tasks.task("other"));
        await(node, "other", WORDPRESS, TargetState.PUBLISHED);
        assertThat(node.state("never", WORDPRESS)).isEqualTo(TargetState.WITHDRAWN);
        assertThat(sandbox.posts("main", "never")).isEmpty();
    }

    @Test
    void a_newer_version_waits_until_the_attempt_in_doubt_is_settled() {
        sandbox.faults(
                "{\"platforms\":{\"wordpress\":{\"delay_next\":1,\"delay_ms\":1800,\"delay_when\":\"before\"}}}");
        Node node = node().start();
        node.submit(Tasks.task("frozen"));
        await(node, "frozen", WORDPRESS, TargetState.IN_DOUBT);
        node.submit(Tasks.task("frozen").version(2).title("Newer"));
        Awaitility.await().atMost(Duration.ofSeconds(40)).untilAsserted(() -> assertThat(
                        node.column("shown_task_version", "frozen", WORDPRESS))
                .isEqualTo("2"));
        assertThat(sandbox.posts("main", "frozen")).hasSize(1);
        assertThat(node.count("select count(*) from dispatch.attempt a join dispatch.attempt b"
                        + " on b.task_version = 2 and b.started_at >= a.settled_at where a.task_version = 1"))
                .isEqualTo(1);
        assertThat(node.count("select count(*) from dispatch.attempt")).isEqualTo(2);
    }

    @Test
    void a_slug_that_the_site_suffixes_for_no_reason_is_one_post_all_the_same() {
        sandbox.faults("{\"platforms\":{\"wordpress\":{\"force_slug_suffix_next\":1}}}");
        Node node = node().start();
        node.submit(Tasks.task("suffixed"));
        await(node, "suffixed", WORDPRESS, TargetState.PUBLISHED);
        assertThat(node.column("platform_url", "suffixed", WORDPRESS)).contains("slug-suffixed-2");
        assertThat(sandbox.posts("main", "suffixed")).hasSize(1);
    }

    @Test
    void what_can_neither_dedupe_nor_be_asked_is_sent_once_and_then_waits_for_a_person() {
        Mute mute = new Mute();
        AccountBook accounts = new AccountBook() {
            @Override
            public Choice choose(String tenantId, String groupCode, Platform platform) {
                return new Choice.Found(() -> "channel");
            }

            @Override
            public Optional<Account> named(String tenantId, Platform platform, String account) {
                return Optional.of(() -> "channel");
            }
        };
        Node node = new Node(database, accounts, standard -> List.of(mute));
        nodes.add(node);
        node.start();
        node.submit(Tasks.task("mute").platforms("telegram"));
        await(node, "mute", "telegram", TargetState.AWAITING_OPERATOR);
        node.submit(Tasks.task("mute").version(2).title("New").platforms("telegram"));
        node.submit(Tasks.task("after").platforms("telegram"));
        await(node, "after", "telegram", TargetState.AWAITING_OPERATOR);
        assertThat(mute.sends).hasSize(2);
        assertThat(node.count("select count(*) from dispatch.attempt where settled_at is null"))
                .isEqualTo(2);
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> {
            assertThat(node.dispatcher().sample().inDoubt()).isEqualTo(2);
            assertThat(node.meters
                            .get("postonce.dispatch.targets")
                            .tag("state", "awaiting_operator")
                            .gauge()
                            .value())
                    .isEqualTo(2);
        });
    }

    @Test
    void a_record_that_cannot_be_handled_is_parked_and_stops_nothing() {
        Node node = node().start();
        node.submit(Tasks.task("before"), Tasks.task("poison").platforms("myspace"), Tasks.task("behind"));
        await(node, "before", WORDPRESS, TargetState.PUBLISHED);
        await(node, "behind", WORDPRESS, TargetState.PUBLISHED);
        assertThat(node.jdbc.queryForList("select reason_code from dispatch.parked_record", String.class))
                .containsExactly("handler_failed");
    }

    @Test
    void no_credential_stands_in_any_row() {
        Node node = node().start();
        node.submit(Tasks.task("secret").platforms(WORDPRESS, WEBHOOK));
        await(node, "secret", WORDPRESS, TargetState.PUBLISHED);
        await(node, "secret", WEBHOOK, TargetState.PUBLISHED);
        for (String table : List.of("task", "target", "attempt", "outbox_event")) {
            assertThat(node.count(
                            "select count(*) from dispatch." + table + " t where t::text like '%postonce-sandbox%'"
                                    + " or t::text like '%MfKQ9r8GKYq%' or t::text like '%Basic %'"))
                    .as(table)
                    .isZero();
        }
    }

    /** A platform without key and history, whose answers are lost. */
    private static final class Mute implements Connector {
        final List<String> sends = java.util.Collections.synchronizedList(new ArrayList<>());

        @Override
        public Platform platform() {
            return Platform.TELEGRAM;
        }

        @Override
        public Recovery recovery() {
            return new Recovery.Neither();
        }

        @Override
        public FrozenRequest freeze(Effect effect, Account account) {
            return new FrozenRequest(
                    "POST", java.net.URI.create("https://t.example/"), null, new byte[] {1}, null, null);
        }

        @Override
        public Outcome send(Job job, Account account, SendGuard guard) {
            sends.add(job.id().externalId() + "@" + Instant.EPOCH);
            return new Outcome.Unknown("timeout", null);
        }

        @Override
        public LookUp ask(Job job, Account account) {
            throw new AssertionError("it cannot be asked");
        }
    }
}
