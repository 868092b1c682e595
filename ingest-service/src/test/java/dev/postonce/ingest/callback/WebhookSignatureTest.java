package dev.postonce.ingest.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.runtime.Secret;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookSignatureTest {

    private static final Secret VECTOR = Secret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8);

    @Test
    void the_published_vector_is_met() {
        assertThat(WebhookSignature.of(List.of(VECTOR), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, BODY))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void several_secrets_give_several_signatures() {
        Secret other = Secret.of("whsec_" + Base64.getEncoder().encodeToString(new byte[32]));
        String both = WebhookSignature.of(List.of(other, VECTOR), "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, BODY);
        assertThat(both.split(" ")).hasSize(2);
        assertThat(both).endsWith(" v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void id_time_and_body_are_all_signed() {
        List<Secret> secrets = List.of(VECTOR);
        String signature = WebhookSignature.of(secrets, "a", 1, BODY);
        assertThat(WebhookSignature.of(secrets, "b", 1, BODY)).isNotEqualTo(signature);
        assertThat(WebhookSignature.of(secrets, "a", 2, BODY)).isNotEqualTo(signature);
        assertThat(WebhookSignature.of(secrets, "a", 1, new byte[0])).isNotEqualTo(signature);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64 canary", "plain-canary"})
    void what_is_no_secret_is_refused_without_being_quoted(String text) {
        assertThatThrownBy(() -> WebhookSignature.keyOf(Secret.of(text)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("canary");
    }
}
