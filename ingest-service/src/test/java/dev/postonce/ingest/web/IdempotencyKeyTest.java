package dev.postonce.ingest.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdempotencyKeyTest {

    @Test
    void quoted_and_bare_are_one_key() {
        assertThat(IdempotencyKey.parse("\"8e03978e-40d5-43dd-bc93-6894a57f9324\""))
                .isEqualTo(IdempotencyKey.parse(" 8e03978e-40d5-43dd-bc93-6894a57f9324 "));
    }

    @Test
    void escapes_of_a_structured_field_string_are_read() {
        assertThat(IdempotencyKey.parse("\"a\\\"b\\\\c d\"").value()).isEqualTo("a\"b\\c d");
    }

    @Test
    void logs_see_twelve_characters() {
        IdempotencyKey key = IdempotencyKey.parse("0123456789abcdefgh");
        assertThat(key.prefix()).isEqualTo("0123456789ab");
        assertThat(key.toString()).doesNotContain("cdefgh");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"\"",
                "\"open",
                "a b",
                "a,b",
                "a;p=1",
                "\"a\";p=1",
                "\"a\\x\"",
                "\"é\"",
                "é",
                "a\"b",
                "\"\\"
            })
    void other_forms_are_refused(String header) {
        assertThatThrownBy(() -> IdempotencyKey.parse(header)).isInstanceOf(Refusal.class);
    }

    @Test
    void the_length_is_limited() {
        assertThat(IdempotencyKey.parse("k".repeat(128)).value()).hasSize(128);
        assertThatThrownBy(() -> IdempotencyKey.parse("k".repeat(129))).isInstanceOf(Refusal.class);
    }
}
