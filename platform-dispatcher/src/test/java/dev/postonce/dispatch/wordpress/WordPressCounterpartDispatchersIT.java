package dev.postonce.dispatch.wordpress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetMarker;
import dev.postonce.dispatch.account.AccountsFile;
import dev.postonce.dispatch.account.CredentialReader;
import dev.postonce.dispatch.testkit.FaultProxy;
import dev.postonce.dispatch.testkit.Node;
import dev.postonce.dispatch.testkit.RealWordPress;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.dispatch.testkit.Tasks.Sample;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import dev.postonce.testinfra.TestDatabase;
import dev.postonce.testinfra.TestInfra;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/**
 * Two dispatchers on one ledger against a real WordPress, where parallel creates of one slug make two posts: whether
 * there is one post is asked past the connector.
 */
@Tag("counterparts")
class WordPressCounterpartDispatchersIT {

    private static final int ARTICLES = 12;
    private static final int SWALLOWED = 5;
    private static final int RIVALS = 6;

    private final String run = UUID.randomUUID().toString().substring(0, 8);
    private final RealWordPress wordpress = RealWordPress.shared();
    private FaultProxy proxy;
    private SafeHttpClient http;
    private Node one;
    private Node two;

    @BeforeEach
    void open() {
        TestDatabase database = TestInfra.newDatabase();
        Node.migrate(database);
        proxy = new FaultProxy(URI.create(wordpress.url() + "/"));
        // A real site on a busy machine takes longer than the sandbox.
        http = new SafeHttpClient(OutgoingPolicy.loopbackToo(Duration.ofSeconds(10), 8 << 20));
        one = node(database);
        two = node(database);
    }

    private Node node(TestDatabase database) {
        return new Node(
                database,
                AccountsFile.parse(accounts(), new CredentialReader(name -> null, true)),
                standard -> List.of(new WordPressConnector(http, Clock.systemUTC(), Node.SETTLING)));
    }

    @AfterEach
    void close() {
        one.close();
        two.close();
        http.close();
        proxy.close();
    }

    private String accounts() {
        RealWordPress.Login admin = wordpress.login("admin");
        return """
                {"tenants":{"dev":{"*":{
                  "wordpress":{"account":"main","base_url":"%s","username":"%s","password":"%s"}}}}}
                """
                .formatted(proxy.url(), admin.user(), admin.password());
    }

    private Sample[] articles(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> Tasks.task(run + "-" + i).title(i % 2 == 0 ? "双11 开始 " + i : "Doors open " + i))
                .toArray(Sample[]::new);
    }

    private void await(String condition, int count) {
        Awaitility.await(count + " where " + condition)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(200))
                .untilAsserted(() -> assertThat(one.count("select count(*) from dispatch.target where " + condition))
                        .isEqualTo(count));
    }

    private List<JsonNode> posts(Sample article) {
        return wordpress.postsWith(TargetMarker.of(Tasks.TENANT, article.externalId(), Platform.WORDPRESS));
    }

    @Test
    void each_article_is_posted_once_by_two_dispatchers_though_answers_are_swallowed() {
        Sample[] articles = articles(ARTICLES);
        for (int i = 0; i < SWALLOWED; i++) {
            proxy.next("POST", FaultProxy.swallow());
        }
        one.start();
        two.start();
        for (int i = 0; i < 3; i++) {
            one.submit(articles);
            two.submit(articles);
        }
        await("state = 'published'", ARTICLES);
        for (Sample article : articles) {
            assertThat(posts(article)).singleElement().satisfies(post -> {
                assertThat(post.path("status").asString()).isEqualTo("publish");
                assertThat(post.path("slug").asString()).isEqualTo(article.slug());
                assertThat(post.at("/title/raw").asString()).isEqualTo(article.title());
                assertThat(one.column("platform_post_id", article.externalId(), "wordpress"))
                        .isEqualTo(post.path("id").asString());
            });
        }
        assertThat(one.count("select count(distinct owner) from dispatch.attempt"))
                .as("both dispatchers sent")
                .isEqualTo(2);
    }

    @Test
    void of_tasks_that_race_for_one_slug_one_is_posted_and_no_second_post_is_left() {
        String slug = "big-sale-" + run;
        Sample[] rivals = articles(RIVALS);
        for (int i = 0; i < RIVALS; i++) {
            rivals[i] = rivals[i].slug(slug);
        }
        one.submit(rivals);
        one.start();
        two.start();
        await("state in ('published', 'failed')", RIVALS);
        assertThat(one.count("select count(*) from dispatch.target where state = 'published'"))
                .isEqualTo(1);
        assertThat(one.count("select count(*) from dispatch.target where error_code = 'slug_taken'"))
                .isEqualTo(RIVALS - 1);
        assertThat(wordpress.postsOfSlug(slug)).hasSize(1);
        long live = IntStream.range(0, RIVALS)
                .mapToObj(i -> posts(rivals[i]))
                .flatMap(List::stream)
                .filter(post -> !post.path("status").asString().equals("trash"))
                .count();
        assertThat(live).isEqualTo(1);
    }
}
