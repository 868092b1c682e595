package dev.postonce.dispatch.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.runtime.Secret;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StandardWebhooksTest {

    @Test
    void the_published_vector_is_reproduced() {
        String signature = StandardWebhooks.sign(
                Secret.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
                "msg_p5jXN8AQM9LWM0D4loKWxJek",
                1614265330,
                "{\"test\": 2432232314}".getBytes(StandardCharsets.UTF_8));
        assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    @Test
    void a_malformed_secret_is_refused_without_being_quoted() {
        assertThatThrownBy(() -> StandardWebhooks.sign(Secret.of("whsec_***"), "m", 1, new byte[0]))
                .hasMessageNotContaining("***")
                .hasNoCause();
    }
}
