package dev.postonce.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class ApiKeyTokenTest {

    private static final Secret PEPPER = Secret.of("pepper");

    private final ApiKeyToken token = ApiKeyToken.generate("dev", "k7m2p9x4", new Random(42));

    @Test
    void a_key_is_read_back_as_it_was_made() {
        assertThat(ApiKeyToken.parse(token.reveal())).contains(token);
        assertThat(token.reveal()).matches("pk_dev_k7m2p9x4_[0-9a-f]{64}_[0-9a-f]{8}");
        assertThat(token.toString()).doesNotContain(token.secret().reveal());
    }

    @Test
    void any_changed_character_makes_junk_that_needs_no_look_up() {
        String text = token.reveal();
        for (int i = 0; i < text.length(); i++) {
            char other = text.charAt(i) == 'a' ? 'b' : 'a';
            String changed = text.substring(0, i) + other + text.substring(i + 1);
            assertThat(ApiKeyToken.parse(changed)).as(changed).isEmpty();
        }
        assertThat(ApiKeyToken.parse("")).isEmpty();
        assertThat(ApiKeyToken.parse(text + "\n")).isEmpty();
        assertThat(ApiKeyToken.parse(text.toUpperCase(java.util.Locale.ROOT))).isEmpty();
    }

    @Test
    void a_digest_depends_on_secret_and_pepper() {
        String digest = token.digest(PEPPER);
        assertThat(token.matches(digest, PEPPER)).isTrue();
        assertThat(token.matches(digest, Secret.of("other"))).isFalse();
        assertThat(ApiKeyToken.generate("dev", "k7m2p9x4", new Random(43)).matches(digest, PEPPER))
                .isFalse();
        assertThat(token.matches("", PEPPER)).isFalse();
    }

    @Test
    void a_key_that_could_not_be_read_back_is_not_made() {
        assertThatThrownBy(() -> ApiKeyToken.generate("dev", "No", new Random(1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ApiKeyToken.generate("d_v", "k7m2p9x4", new Random(1)))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
