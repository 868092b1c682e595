package dev.postonce.dispatch.wordpress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.WordPressAccount;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.TargetId;
import dev.postonce.dispatch.testkit.FaultProxy;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.dispatch.testkit.Tasks.Sample;
import dev.postonce.runtime.Secret;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What the connector must do against anything that calls itself WordPress: the sandbox, or a real one. Faults are
 * made by a proxy, so the peer needs no help.
 */
abstract class WordPressConnectorContract {

    private FaultProxy proxy;
    private SafeHttpClient http;
    private WordPressConnector connector;
    private Sample sample;

    /** Of the site, without a slash at its end; it may have a path. */
    abstract String baseUrl();

    abstract String username();

    abstract String password();

    /** Longer than the site usually takes, shorter than a test's patience. */
    Duration timeout() {
        return Duration.ofSeconds(2);
    }

    @BeforeEach
    void open() {
        URI base = URI.create(baseUrl());
        proxy = new FaultProxy(base.resolve("/"));
        http = new SafeHttpClient(OutgoingPolicy.loopbackToo(timeout(), 8 << 20));
        connector = new WordPressConnector(http, Clock.systemUTC(), Duration.ofSeconds(1));
        sample = Tasks.task("c-" + UUID.randomUUID().toString().substring(0, 18));
    }

    @AfterEach
    void close() {
        http.close();
        proxy.close();
    }

    private WordPressAccount account(String password) {
        return new WordPressAccount(
                "main", proxy.url() + URI.create(baseUrl()).getPath(), username(), Secret.of(password));
    }

    private WordPressAccount account() {
        return account(password());
    }

    private Job job(Sample from, Action action, String postId) {
        TargetId id = new TargetId(Tasks.TENANT, from.externalId(), Platform.WORDPRESS);
        FrozenRequest request =
                connector.freeze(new Effect(id, action, from.state(), Instant.EPOCH, postId), account());
        return new Job(id, action, from.version(), postId, request);
    }

    private Outcome send(Job job) {
        return connector.send(job, account(), () -> true);
    }

    private LookUp ask(Job job) {
        return connector.ask(job, account());
    }

    private Outcome.Published create() {
        return (Outcome.Published) send(job(sample, Action.CREATE, null));
    }

    private WordPressSite directSite() {
        return new WordPressSite(
                http, Clock.systemUTC(), new WordPressAccount("direct", baseUrl(), username(), Secret.of(password())));
    }

    private List<WordPressPost> found(Map<String, String> criteria) {
        return ((WordPressSite.Listing.Complete) directSite().list(criteria)).posts();
    }

    private List<WordPressPost> live() {
        return found(Map.of("search", job(sample, Action.CREATE, null).marker(), "status", "any"));
    }

    private List<WordPressPost> trashed() {
        return found(Map.of("search", job(sample, Action.CREATE, null).marker(), "status", "trash"));
    }

    private void foreignPost(String slug, String content) {
        directSite()
                .call(
                        "POST",
                        WordPressSite.postsUrl(baseUrl()),
                        "application/json",
                        ("{\"title\":\"foreign\",\"content\":\"" + content + "\",\"slug\":\"" + slug
                                        + "\",\"status\":\"publish\"}")
                                .getBytes(StandardCharsets.UTF_8));
    }

    private static Outcome settled(LookUp lookUp) {
        assertThat(lookUp).isInstanceOf(LookUp.Settled.class);
        return ((LookUp.Settled) lookUp).outcome();
    }

    @Test
    void an_article_is_posted_once_with_its_slug_and_marker() {
        Outcome.Published published = create();
        assertThat(published.taskVersion()).isEqualTo(1);
        assertThat(live()).singleElement().satisfies(post -> {
            assertThat(post.slug()).isEqualTo(sample.slug());
            assertThat(post.status()).isEqualTo("publish");
            assertThat(Long.toString(post.id())).isEqualTo(published.postId());
            assertThat(post.title()).isEqualTo(sample.title());
        });
        assertThat(create().postId()).as("created again").isEqualTo(published.postId());
        assertThat(live()).hasSize(1);
    }

    @Test
    void a_swallowed_answer_is_unknown_and_found_by_asking() {
        proxy.next("POST", FaultProxy.swallow());
        Job job = job(sample, Action.CREATE, null);
        assertThat(send(job)).isInstanceOf(Outcome.Unknown.class);
        assertThat(settled(ask(job)))
                .isInstanceOfSatisfying(Outcome.Published.class, published -> assertThat(published.taskVersion())
                        .isEqualTo(1));
        assertThat(live()).hasSize(1);
    }

    @Test
    void a_gateway_s_error_after_the_post_was_made_is_unknown_too() {
        proxy.next("POST", FaultProxy.statusAfter(502));
        Job job = job(sample, Action.CREATE, null);
        assertThat(send(job)).isInstanceOf(Outcome.Unknown.class);
        assertThat(settled(ask(job))).isInstanceOf(Outcome.Published.class);
    }

    @Test
    void a_post_that_appears_after_the_time_out_is_absent_first_and_found_later() {
        CountDownLatch later = new CountDownLatch(1);
        proxy.next("POST", FaultProxy.after(later));
        Job job = job(sample, Action.CREATE, null);
        assertThat(send(job)).isEqualTo(new Outcome.Unknown("timeout", "no answer in time"));
        assertThat(ask(job)).isInstanceOf(LookUp.Absent.class);
        later.countDown();
        Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> ask(job) instanceof LookUp.Settled);
        assertThat(live()).hasSize(1);
    }

    @Test
    void a_rate_limit_is_obeyed_and_leaves_nothing_behind() {
        proxy.next("POST", FaultProxy.status(429, "Retry-After", "7"));
        assertThat(send(job(sample, Action.CREATE, null))).isEqualTo(new Outcome.RateLimited(Duration.ofSeconds(7)));
        proxy.next("GET", FaultProxy.status(429));
        assertThat(send(job(sample, Action.CREATE, null))).isInstanceOf(Outcome.RateLimited.class);
        assertThat(live()).isEmpty();
    }

    @Test
    void a_wrong_password_is_neither_a_refusal_nor_a_proof_of_absence() {
        create();
        Job job = job(sample, Action.CREATE, null);
        assertThat(connector.send(job, account("wrong"), () -> true))
                .isInstanceOfSatisfying(Outcome.NotSent.class, notSent -> assertThat(notSent.code())
                        .isEqualTo("credentials_rejected"));
        assertThat(connector.ask(job, account("wrong"))).isInstanceOf(LookUp.Inconclusive.class);
    }

    @Test
    void a_look_up_with_an_error_or_with_something_left_out_proves_nothing() {
        Job job = job(sample, Action.CREATE, null);
        assertThat(ask(job)).isInstanceOf(LookUp.Absent.class);
        for (int call = 0; call < 2; call++) {
            for (int before = 0; before < call; before++) {
                proxy.next("GET", c -> c.answer(c.forward()));
            }
            proxy.next("GET", call % 2 == 0 ? FaultProxy.status(500) : FaultProxy.drop());
            assertThat(ask(job)).as("the %d. question fails", call + 1).isInstanceOf(LookUp.Inconclusive.class);
            drainProxy();
        }
        proxy.next("GET", c -> {
            c.answerHeader("X-WP-Total", "3");
            c.answer(200, "[]".getBytes(StandardCharsets.UTF_8));
        });
        assertThat(ask(job)).isInstanceOf(LookUp.Inconclusive.class);
    }

    private void drainProxy() {
        ask(job(sample, Action.CREATE, null));
    }

    @Test
    void a_failing_look_up_before_the_create_sends_nothing() {
        proxy.next("GET", FaultProxy.status(503));
        assertThat(send(job(sample, Action.CREATE, null))).isInstanceOf(Outcome.NotSent.class);
        assertThat(proxy.count("POST")).isZero();
    }

    @Test
    void a_sender_that_lost_its_lease_sends_nothing() {
        assertThat(connector.send(job(sample, Action.CREATE, null), account(), () -> false))
                .isEqualTo(new Outcome.NotSent("lease_lost", null));
        assertThat(proxy.count("POST")).isZero();
    }

    @Test
    void a_stranger_s_post_with_our_slug_makes_it_fail() {
        foreignPost(sample.slug(), "of somebody else");
        assertThat(send(job(sample, Action.CREATE, null)))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo("slug_taken"));
        assertThat(live()).isEmpty();
        assertThat(proxy.count("POST")).isZero();
    }

    @Test
    void a_stranger_who_takes_the_slug_between_look_and_create_keeps_it_and_ours_goes() {
        proxy.next("POST", FaultProxy.first(() -> foreignPost(sample.slug(), "of somebody else")));
        assertThat(send(job(sample, Action.CREATE, null)))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo("slug_taken"));
        assertThat(live()).isEmpty();
        assertThat(trashed()).hasSize(1);
        assertThat(found(Map.of("slug", sample.slug(), "status", "any"))).hasSize(1);
    }

    @Test
    void a_double_of_ours_is_removed_and_the_older_post_stays() {
        proxy.next("POST", FaultProxy.twice());
        Outcome outcome = send(job(sample, Action.CREATE, null));
        assertThat(outcome).isInstanceOf(Outcome.Published.class);
        assertThat(live()).singleElement().satisfies(post -> {
            assertThat(post.slug()).isEqualTo(sample.slug());
            assertThat(Long.toString(post.id())).isEqualTo(((Outcome.Published) outcome).postId());
        });
        assertThat(trashed()).isEmpty();
    }

    @Test
    void a_double_whose_answer_was_lost_is_removed_when_asked() {
        proxy.next("POST", call -> {
            call.forward();
            call.forward();
        });
        Job job = job(sample, Action.CREATE, null);
        assertThat(send(job)).isInstanceOf(Outcome.Unknown.class);
        assertThat(live()).hasSize(2);
        assertThat(settled(ask(job))).isInstanceOf(Outcome.Published.class);
        assertThat(live()).hasSize(1);
    }

    @Test
    void an_update_changes_the_one_post_and_can_be_asked_about() {
        String postId = create().postId();
        Job update = job(sample.version(2).title("Another title"), Action.UPDATE, postId);
        assertThat(ask(update)).isInstanceOf(LookUp.Absent.class);
        proxy.next("POST", FaultProxy.swallow());
        assertThat(send(update)).isInstanceOf(Outcome.Unknown.class);
        assertThat(settled(ask(update)))
                .isInstanceOfSatisfying(Outcome.Published.class, published -> assertThat(published.taskVersion())
                        .isEqualTo(2));
        assertThat(live()).singleElement().satisfies(post -> {
            assertThat(post.title()).isEqualTo("Another title");
            assertThat(post.slug()).isEqualTo(sample.slug());
        });
    }

    @Test
    void a_withdrawal_trashes_or_drafts_and_an_update_brings_it_back() {
        String postId = create().postId();
        Job trash = job(sample.version(2).status("archived"), Action.WITHDRAW, postId);
        assertThat(ask(trash)).isInstanceOf(LookUp.Absent.class);
        proxy.next("DELETE", FaultProxy.swallow());
        assertThat(send(trash)).isInstanceOf(Outcome.Unknown.class);
        assertThat(settled(ask(trash))).isEqualTo(new Outcome.TakenBack(postId, "archived"));
        assertThat(send(trash)).as("again").isEqualTo(new Outcome.TakenBack(postId, "archived"));

        Job back = job(sample.version(3), Action.UPDATE, postId);
        assertThat(send(back)).isInstanceOf(Outcome.Published.class);
        assertThat(live()).singleElement().satisfies(post -> {
            assertThat(post.slug()).isEqualTo(sample.slug());
            assertThat(post.status()).isEqualTo("publish");
        });
        Job draft = job(sample.version(4).status("draft"), Action.WITHDRAW, postId);
        assertThat(send(draft)).isEqualTo(new Outcome.TakenBack(postId, "draft"));
        assertThat(settled(ask(draft))).isEqualTo(new Outcome.TakenBack(postId, "draft"));
    }

    @Test
    void a_post_of_ours_in_the_trash_is_not_doubled() {
        String postId = create().postId();
        directSite().delete(postId, false);
        assertThat(send(job(sample, Action.CREATE, null))).isEqualTo(new Outcome.TakenBack(postId, "archived"));
        assertThat(settled(ask(job(sample, Action.CREATE, null))))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo("trashed_at_platform"));
        assertThat(proxy.count("POST")).isEqualTo(1);
    }

    @Test
    void a_post_that_somebody_deleted_is_gone() {
        String postId = create().postId();
        directSite().delete(postId, true);
        assertThat(send(job(sample.version(2), Action.UPDATE, postId)))
                .isInstanceOfSatisfying(Outcome.Refused.class, refused -> assertThat(refused.code())
                        .isEqualTo("gone_at_platform"));
        assertThat(send(job(sample.version(2).status("archived"), Action.WITHDRAW, postId)))
                .isEqualTo(new Outcome.TakenBack(postId, "archived"));
    }

    @Test
    void a_slug_that_reads_as_a_year_is_bent_by_the_site_and_kept_so() {
        sample = sample.slug(
                Integer.toString(100_000 + Math.abs(sample.externalId().hashCode() % 900_000)));
        assertThat(send(job(sample, Action.CREATE, null))).isInstanceOf(Outcome.Published.class);
        assertThat(live()).hasSize(1);
    }
}
