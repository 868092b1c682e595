package dev.postonce.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretTest {

    private record Holder(String name, Secret secret) {}

    @Test
    void no_text_made_of_it_shows_it() {
        Secret secret = Secret.of("canary-7531");
        assertThat(secret + "|" + new Holder("a", secret) + "|" + Map.of("k", secret) + "|" + "%s".formatted(secret))
                .doesNotContain("canary");
        assertThat(secret.hashCode()).isEqualTo(Secret.of("other").hashCode());
        assertThat(secret.reveal()).isEqualTo("canary-7531");
    }

    @Test
    void equal_values_are_equal() {
        assertThat(Secret.of("密")).isEqualTo(Secret.of("密")).isNotEqualTo(Secret.of("蜜"));
        assertThat(Secret.of("a").equals("a")).isFalse();
    }
}
