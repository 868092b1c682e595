package dev.postonce.dispatch.wordpress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.WordPressAccount;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.TargetId;
import dev.postonce.dispatch.testkit.Tasks;
import dev.postonce.runtime.Secret;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class WordPressRequestsTest {

    private static final WordPressAccount ACCOUNT =
            new WordPressAccount("main", "https://Blog.example.com/x", "bot", Secret.of("pa ss"));

    private static Effect effect(Tasks.Sample sample, Action action) {
        TargetId id = new TargetId(Tasks.TENANT, sample.externalId(), Platform.WORDPRESS);
        return new Effect(id, action, sample.state(), Instant.EPOCH, action == Action.CREATE ? null : "12");
    }

    @Test
    void the_same_effect_makes_the_same_bytes_without_a_credential_in_them() {
        FrozenRequest one = WordPressRequests.of(effect(Tasks.task("a-1"), Action.CREATE), ACCOUNT);
        FrozenRequest two = WordPressRequests.of(effect(Tasks.task("a-1"), Action.CREATE), ACCOUNT);
        assertThat(one.digest()).isEqualTo(two.digest());
        String body = new String(one.body(), StandardCharsets.UTF_8);
        assertThat(body + one.url())
                .contains("<!-- postonce:po1-", " v1 -->", "双11", "\"slug\":\"slug-a-1\"")
                .doesNotContain("pa ss");
        assertThat(ACCOUNT.toString()).doesNotContain("pa ss");
    }

    @Test
    void two_accounts_of_one_site_claim_in_one_place() {
        WordPressAccount other = new WordPressAccount("other", "http://blog.example.com/x", "x", Secret.of("y"));
        assertThat(WordPressRequests.placeOf(other)).isEqualTo(WordPressRequests.placeOf(ACCOUNT));
    }

    @Test
    void a_slug_that_would_be_cut_or_bent_is_made_by_the_marker() {
        String marker = effect(Tasks.task("a-1"), Action.CREATE).marker().substring(0, 20);
        assertThat(WordPressRequests.slugOf(effect(Tasks.task("a-1").slug(null), Action.CREATE)))
                .isEqualTo(marker);
        assertThat(WordPressRequests.slugOf(effect(Tasks.task("a-1").slug("größe"), Action.CREATE)))
                .isEqualTo(marker);
        assertThat(WordPressRequests.slugOf(effect(Tasks.task("a-1").slug("x".repeat(250)), Action.CREATE)))
                .hasSize(180)
                .endsWith(marker);
        assertThat(WordPressRequests.slugOf(effect(Tasks.task("a-1").slug("Big-Sale"), Action.CREATE)))
                .isEqualTo("big-sale");
    }

    @Test
    void an_edit_leaves_the_slug_alone_and_a_withdrawal_trashes_or_drafts() {
        FrozenRequest update = WordPressRequests.of(effect(Tasks.task("a-1").version(2), Action.UPDATE), ACCOUNT);
        assertThat(new String(update.body(), StandardCharsets.UTF_8)).doesNotContain("\"slug\"");
        assertThat(update.claim()).isNull();
        FrozenRequest trash =
                WordPressRequests.of(effect(Tasks.task("a-1").status("archived"), Action.WITHDRAW), ACCOUNT);
        assertThat(trash.method()).isEqualTo("DELETE");
        FrozenRequest draft = WordPressRequests.of(effect(Tasks.task("a-1").status("draft"), Action.WITHDRAW), ACCOUNT);
        assertThat(new String(draft.body(), StandardCharsets.UTF_8)).isEqualTo("{\"status\":\"draft\"}");
    }
}
