package dev.postonce.sandbox.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.sandbox.Caller;
import dev.postonce.sandbox.SandboxConfig;
import dev.postonce.sandbox.SandboxPlatforms;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The signature is Standard Webhooks' published vector, so the verifier is measured against no code of ours. */
class SignedReceiverTest {

    private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
    private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
    private static final String BODY = "{\"test\": 2432232314}";
    private static final String SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
    private static final Instant SIGNED_AT = Instant.ofEpochSecond(1614265330);
    private static final String MARKER = "po1-0123456789abcdef0123456789abcdef";

    private final SandboxPlatforms strict = SandboxPlatforms.start(
            SandboxConfig.forTests().withSecrets(SECRET, SECRET).withClock(() -> SIGNED_AT));
    private final SandboxPlatforms lax = SandboxPlatforms.start(SandboxConfig.forTests());

    @AfterEach
    void close() {
        strict.close();
        lax.close();
    }

    private static Map<String, String> headers(String id, String signature) {
        Map<String, String> headers = new HashMap<>();
        headers.put("webhook-id", id);
        headers.put("webhook-timestamp", String.valueOf(SIGNED_AT.getEpochSecond()));
        headers.put("webhook-signature", signature);
        return headers;
    }

    private static JsonNode deliveries(SandboxPlatforms sandbox) {
        return new Caller(sandbox.url())
                .as("")
                .get("/_sandbox/webhook/hook/deliveries")
                .json();
    }

    private static Caller.Reply send(SandboxPlatforms sandbox, String body, Map<String, String> headers) {
        return new Caller(sandbox.url()).as("").call("POST", "/webhook/hook", body, headers);
    }

    @Test
    void the_published_vector_is_accepted_and_kept_with_its_exact_bytes() {
        assertThat(send(strict, BODY, headers(ID, SIGNATURE)).status()).isEqualTo(200);

        JsonNode delivery = deliveries(strict).get(0);
        assertThat(delivery.get("verified").asBoolean()).isTrue();
        assertThat(delivery.get("body").asString()).isEqualTo(BODY);
        assertThat(delivery.at("/headers/webhook-signature").asString()).isEqualTo(SIGNATURE);
    }

    @Test
    void one_of_several_signatures_is_enough() {
        assertThat(send(strict, BODY, headers(ID, "v1,AAAA v2,xyz " + SIGNATURE))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void what_does_not_fit_is_refused_and_kept_too() {
        assertThat(send(strict, BODY + " ", headers(ID, SIGNATURE)).status()).isEqualTo(401);
        assertThat(send(strict, BODY, headers("msg_other", SIGNATURE)).status()).isEqualTo(401);
        assertThat(send(strict, BODY, Map.of()).status()).isEqualTo(401);
        Map<String, String> late = headers(ID, SIGNATURE);
        late.put("webhook-timestamp", String.valueOf(SIGNED_AT.getEpochSecond() - 301));
        assertThat(send(strict, BODY, late).text("message")).contains("301 s away");

        assertThat(deliveries(strict)).hasSize(4).allMatch(delivery -> !delivery.get("verified")
                .asBoolean());
        assertThat(send(strict, BODY, headers(ID, SIGNATURE))
                        .json()
                        .get("duplicate")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void a_repeated_id_has_no_second_effect_and_other_bytes_under_it_are_shown() {
        String body = article("article.published", 1);
        assertThat(send(lax, body, headers("msg_1", "-"))
                        .json()
                        .get("duplicate")
                        .asBoolean())
                .isFalse();
        assertThat(send(lax, body, headers("msg_1", "-"))
                        .json()
                        .get("duplicate")
                        .asBoolean())
                .isTrue();
        String other = body.replace(MARKER, MARKER.replace('0', 'f'));
        assertThat(send(lax, other, headers("msg_1", "-")).status()).isEqualTo(200);

        assertThat(posts()).hasSize(1);
        assertThat(deliveries(lax)).hasSize(3);
        assertThat(deliveries(lax).get(1).get("body_differs").asBoolean()).isFalse();
        assertThat(deliveries(lax).get(2).get("body_differs").asBoolean()).isTrue();
        JsonNode article = posts().get(0);
        assertThat(article.get("effects").asInt()).isEqualTo(1);
        assertThat(article.get("marker").asString()).isEqualTo(MARKER);
    }

    @Test
    void the_newest_version_is_shown_whatever_comes_last_and_two_publications_are_a_double() {
        send(lax, article("article.published", 1), headers("msg_1", "-"));
        send(lax, article("article.withdrawn", 3), headers("msg_3", "-"));
        send(lax, article("article.updated", 2), headers("msg_2", "-"));

        JsonNode article = posts().get(0);
        assertThat(article.get("status").asString()).isEqualTo("withdrawn");
        assertThat(article.get("task_version").asInt()).isEqualTo(3);
        assertThat(article.get("effects").asInt()).isEqualTo(1);

        send(lax, article("article.published", 4), headers("msg_4", "-"));
        assertThat(posts().get(0).get("effects").asInt()).isEqualTo(2);
        assertThat(new Caller(article.get("url").asString()).get("").response().body())
                .startsWith("publish v4");
    }

    @Test
    void an_id_that_is_too_long_to_remember_is_refused() {
        assertThat(send(lax, "{}", headers("m".repeat(257), "-")).text("message"))
                .contains("longer than 256");
        assertThat(send(lax, "{}", headers("m".repeat(256), "-")).status()).isEqualTo(200);
    }

    private JsonNode posts() {
        return new Caller(lax.url()).as("").get("/_sandbox/posts").json();
    }

    private static String article(String type, long version) {
        return "{\"type\":\"" + type + "\",\"timestamp\":\"2026-11-29T10:00:00Z\",\"data\":{\"marker\":\"" + MARKER
                + "\",\"task_version\":" + version + "}}";
    }
}
