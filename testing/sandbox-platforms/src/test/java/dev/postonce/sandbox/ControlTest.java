package dev.postonce.sandbox;

import static dev.postonce.sandbox.Caller.POSTS;
import static dev.postonce.sandbox.Caller.post;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.sandbox.fault.FaultKind;
import dev.postonce.sandbox.wordpress.WordPressUser.Role;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class ControlTest {

    private static final String MARKER = "po1-0123456789abcdef0123456789abcdef";

    @TempDir
    Path directory;

    @Test
    void every_post_is_listed_with_its_marker_trash_and_strangers_included_after_a_restart_too() {
        try (SandboxPlatforms sandbox =
                SandboxPlatforms.start(SandboxConfig.forTests().withDirectory(directory))) {
            Caller site = new Caller(sandbox.url() + "/wordpress/main");
            long id = site.post(POSTS, post("a", "publish", "x<!-- postonce:" + MARKER + " v1 -->"))
                    .id();
            site.post(POSTS + "/" + id, "{\"content\":\"y<!-- postonce:" + MARKER + " v2 -->\"}");
            site.call("DELETE", POSTS + "/" + id, null, Map.of());
            site.post(POSTS, post("b", "publish", "unmarked"));
            long gone = site.post(POSTS, post("c", "publish", "x")).id();
            site.call("DELETE", POSTS + "/" + gone + "?force=true", null, Map.of());
            assertListed(new Caller(sandbox.url()));
        }
        try (SandboxPlatforms sandbox =
                SandboxPlatforms.start(SandboxConfig.forTests().withDirectory(directory))) {
            assertListed(new Caller(sandbox.url()));
        }
    }

    private static void assertListed(Caller control) {
        JsonNode posts = control.get("/_sandbox/posts").json();
        assertThat(posts).hasSize(2);
        assertThat(posts.at("/0/marker").asString()).isEqualTo(MARKER);
        assertThat(posts.at("/0/task_version").asInt()).isEqualTo(2);
        assertThat(posts.at("/0/status").asString()).isEqualTo("trash");
        assertThat(posts.at("/0/post_id").asString()).isEqualTo("1");
        assertThat(posts.at("/1/marker").isNull()).isTrue();
        JsonNode detailed = control.get("/_sandbox/wordpress/main/posts").json();
        assertThat(detailed.at("/0/request_count").asInt()).isEqualTo(3);
        assertThat(detailed.at("/0/markers/0").asString()).isEqualTo(MARKER);
        JsonNode counts = control.get("/_sandbox/requests?platform=wordpress").json();
        assertThat(counts.valueStream().filter(count -> count.get("status").asInt() == 201))
                .singleElement()
                .matches(count -> count.get("count").asInt() == 3);
        assertThat(control.get("/actuator/prometheus").response().body())
                .contains("postonce_sandbox_requests_total{platform=\"wordpress\",account=\"main\",method=\"POST\"");
    }

    @Test
    void forgetting_is_refused_unless_it_was_allowed() {
        Map<String, String> environment = Map.of("POSTONCE_HTTP_PORT", "0");
        try (SandboxPlatforms sandbox = SandboxPlatforms.start(Settings.read(environment, List.of()))) {
            new Caller(sandbox.url() + "/wordpress/main").post(POSTS, post("a", "publish", "x"));
            Caller control = new Caller(sandbox.url());
            assertThat(control.post("/_sandbox/reset", "").status()).isEqualTo(403);
            assertThat(control.get("/_sandbox/posts").json()).hasSize(1);
        }
        try (SandboxPlatforms sandbox = SandboxPlatforms.start(SandboxConfig.forTests())) {
            new Caller(sandbox.url() + "/wordpress/main").post(POSTS, post("a", "publish", "x"));
            Caller control = new Caller(sandbox.url());
            assertThat(control.post("/_sandbox/reset", "").status()).isEqualTo(204);
            assertThat(control.get("/_sandbox/posts").json()).isEmpty();
        }
    }

    @Test
    void settings_are_read_from_the_environment_and_faults_from_the_command_line_too() {
        SandboxConfig config = Settings.read(
                Map.of(
                        "POSTONCE_HTTP_PORT", "8123",
                        "POSTONCE_SANDBOX_DIR", "/data/sandbox",
                        "POSTONCE_SANDBOX_WORDPRESS_USER", "desk",
                        "POSTONCE_SANDBOX_WORDPRESS_AUTHOR_USER", "writer",
                        "POSTONCE_SANDBOX_WORDPRESS_AUTHOR_PASSWORD", "w",
                        "POSTONCE_SANDBOX_PUBLIC_URL", "http://sandbox:8090/"),
                List.of("--faults={\"seed\":3,\"platforms\":{\"webhook\":{\"drop_next\":2}}}"));

        assertThat(config.listen().port()).isEqualTo(8123);
        assertThat(config.directory()).isEqualTo(Path.of("/data/sandbox"));
        assertThat(config.users().get(0).name()).isEqualTo("desk");
        assertThat(config.users().get(1).role()).isEqualTo(Role.AUTHOR);
        assertThat(config.faults().of("webhook").chance(FaultKind.DROP).next()).isEqualTo(2);
        assertThatThrownBy(() -> Settings.read(Map.of("POSTONCE_HTTP_PORT", "high"), List.of()))
                .hasMessageContaining("POSTONCE_HTTP_PORT");
        assertThatThrownBy(() -> Settings.read(Map.of(), List.of("--fault={}"))).hasMessageContaining("--fault=");
    }

    @Test
    void what_is_at_no_path_is_not_found() {
        try (SandboxPlatforms sandbox = SandboxPlatforms.start(SandboxConfig.forTests())) {
            Caller caller = new Caller(sandbox.url());
            assertThat(caller.get("/").status()).isEqualTo(404);
            assertThat(caller.get("/nowhere/main").status()).isEqualTo(404);
            assertThat(caller.get("/wordpress/..%2f").status()).isEqualTo(404);
            assertThat(caller.get("/_sandbox/nothing").status()).isEqualTo(404);
            assertThat(caller.get("/_sandbox/health").text("status")).isEqualTo("UP");
        }
    }
}
