package dev.postonce.sandbox;

import static dev.postonce.sandbox.Caller.POSTS;
import static dev.postonce.sandbox.Caller.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.sandbox.fault.FaultKind;
import dev.postonce.sandbox.fault.FaultPlan;
import dev.postonce.sandbox.fault.FaultSettings;
import java.io.IOException;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Each fault over HTTP: what the client sees, and whether the platform acted. */
class FaultsTest {

    private final SandboxPlatforms sandbox = SandboxPlatforms.start(SandboxConfig.forTests());
    private final Caller site = new Caller(sandbox.url() + "/wordpress/main");

    @AfterEach
    void close() {
        sandbox.close();
    }

    private void set(FaultSettings settings) {
        sandbox.setFaults(FaultPlan.of(1, "wordpress", settings));
    }

    private int posts() {
        return site.get(POSTS + "?status=any").json().size();
    }

    private void create() throws IOException {
        site.withTimeout(Duration.ofMillis(400)).tryCall("POST", POSTS, post("a", "publish", "x"), Map.of());
    }

    @Test
    void a_swallowed_answer_leaves_the_post_behind() {
        set(FaultSettings.NONE.withNext(FaultKind.SWALLOW, 1));

        assertThatThrownBy(this::create).isInstanceOf(IOException.class).isNotInstanceOf(HttpTimeoutException.class);
        assertThat(posts()).isEqualTo(1);
    }

    @Test
    void a_dropped_request_leaves_nothing() {
        set(FaultSettings.NONE.withNext(FaultKind.DROP, 1));

        assertThatThrownBy(this::create).isInstanceOf(IOException.class);
        assertThat(posts()).isZero();
    }

    @Test
    void a_delay_after_acting_is_longer_than_the_client_waits_and_the_post_is_there() {
        set(FaultSettings.NONE.withNext(FaultKind.DELAY, 1).withDelay(5_000, false));

        assertThatThrownBy(this::create).isInstanceOf(HttpTimeoutException.class);
        assertThat(posts()).isEqualTo(1);
    }

    @Test
    void a_delay_before_acting_makes_the_post_appear_after_the_client_gave_up() {
        set(FaultSettings.NONE.withNext(FaultKind.DELAY, 1).withDelay(900, true));

        assertThatThrownBy(this::create).isInstanceOf(HttpTimeoutException.class);
        assertThat(posts()).isZero();
        Awaitility.await().atMost(Duration.ofSeconds(10)).untilAsserted(() -> assertThat(posts())
                .isEqualTo(1));
    }

    @Test
    void too_many_requests_come_with_and_without_a_time_to_wait() {
        set(FaultSettings.NONE.withNext(FaultKind.STATUS_429, 1));
        Caller.Reply silent = site.post(POSTS, post("a", "publish", "x"));
        assertThat(silent.status()).isEqualTo(429);
        assertThat(silent.header("Retry-After")).isEmpty();

        set(FaultSettings.NONE.withNext(FaultKind.STATUS_429, 1).withRetryAfter(7));
        assertThat(site.post(POSTS, post("a", "publish", "x")).header("Retry-After"))
                .isEqualTo("7");
        assertThat(posts()).isZero();
    }

    @Test
    void a_server_error_comes_instead_of_acting_or_after_it() {
        set(FaultSettings.NONE.withNext(FaultKind.STATUS_5XX, 1));
        assertThat(site.post(POSTS, post("a", "publish", "x")).status()).isEqualTo(503);
        assertThat(posts()).isZero();

        set(FaultSettings.NONE.withNext(FaultKind.STATUS_5XX, 1).withServerError(502, false));
        assertThat(site.post(POSTS, post("a", "publish", "x")).status()).isEqualTo(502);
        assertThat(posts()).isEqualTo(1);
    }

    @Test
    void a_forced_suffix_looks_as_if_somebody_else_had_the_slug() {
        set(FaultSettings.NONE.withNext(FaultKind.FORCE_SLUG_SUFFIX, 1));

        assertThat(site.post(POSTS, post("a", "publish", "x")).text("slug")).isEqualTo("a-2");
        assertThat(site.post(POSTS, post("b", "publish", "x")).text("slug")).isEqualTo("b");
    }

    @Test
    void look_ups_suffer_only_when_all_requests_are_named() {
        set(FaultSettings.NONE.withRate(FaultKind.STATUS_5XX, 1));
        assertThat(site.get(POSTS).status()).isEqualTo(200);

        set(FaultSettings.NONE.withRate(FaultKind.STATUS_5XX, 1).onAllRequests());
        assertThat(site.get(POSTS).status()).isEqualTo(503);
    }

    @Test
    void faults_are_set_and_read_over_http_and_a_misspelt_one_changes_nothing() {
        Caller control = new Caller(sandbox.url()).as("");
        String plan = "{\"seed\":7,\"platforms\":{\"wordpress\":{\"swallow_next\":1}}}";
        assertThat(control.call("PUT", "/_sandbox/faults", plan, Map.of()).status())
                .isEqualTo(200);

        Caller.Reply refused =
                control.call("PUT", "/_sandbox/faults", "{\"platforms\":{\"wordpress\":{\"swalow\":1}}}", Map.of());
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("message")).contains("swalow");
        assertThat(control.get("/_sandbox/faults")
                        .json()
                        .at("/platforms/wordpress/swallow_next")
                        .asInt())
                .isEqualTo(1);
    }
}
