package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DigestsTest {

    @Test
    void order_of_members_and_blanks_do_not_matter_order_of_items_does() {
        String digest = Digests.ofCanonicalJson("{\"a\":1,\"b\":[1,2]}");
        assertThat(Digests.ofCanonicalJson(" { \"b\" : [ 1 , 2 ] ,\n\t\"a\" : 1 } "))
                .isEqualTo(digest);
        assertThat(Digests.ofCanonicalJson("{\"a\":1,\"b\":[2,1]}")).isNotEqualTo(digest);
    }

    @ParameterizedTest
    @CsvSource({"1.0,1", "1e2,100", "1E0,1", "-0,0", "0.50,0.5", "10e-1,1", "1e21,1000000000000000000000"})
    void a_number_is_its_value_not_its_spelling(String one, String other) {
        assertThat(Digests.ofCanonicalJson("{\"n\":" + one + "}"))
                .isEqualTo(Digests.ofCanonicalJson("{\"n\":" + other + "}"));
    }

    @Test
    void an_escape_is_the_character_that_it_stands_for() {
        assertThat(Digests.ofCanonicalJson("{\"t\":\"\\u53cc11 \\ud83c\\udf89 \\/\"}"))
                .isEqualTo(Digests.ofCanonicalJson("{\"t\":\"双11 🎉 /\"}"));
    }

    @Test
    void composed_and_decomposed_characters_stay_apart() {
        assertThat(Digests.ofCanonicalJson("{\"t\":\"é\"}"))
                .isNotEqualTo(Digests.ofCanonicalJson("{\"t\":\"e\u0301\"}"));
    }

    @Test
    void members_are_sorted_by_utf_16_units_as_rfc_8785_says() {
        // SHA-256 of {"€":1,"😀":2,"דּ":3}: U+D83D sorts before U+FB33 although its code point is higher.
        assertThat(Digests.ofCanonicalJson("{\"\ufb33\":3,\"\ud83d\ude00\":2,\"\u20ac\":1}"))
                .isEqualTo(Digests.sha256Hex("{\"\u20ac\":1,\"\ud83d\ude00\":2,\"\ufb33\":3}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"a\":1,\"a\":2}", "{} {}", "{\"a\":NaN}"})
    void what_is_not_json_is_refused(String text) {
        assertThatThrownBy(() -> Digests.ofCanonicalJson(text)).isInstanceOf(UncheckedIOException.class);
    }

    @Test
    void a_state_does_not_digest_its_own_digest() {
        KeyState state = new KeyState("dev", "k7m2p9x4", 1, false, "cli", "00", List.of("read"), "");
        KeyState stamped = new KeyState("dev", "k7m2p9x4", 1, false, "cli", "00", List.of("read"), "ff");
        KeyState other = new KeyState("dev", "k7m2p9x4", 1, true, "cli", "00", List.of("read"), "");
        assertThat(Digests.ofState(stamped)).isEqualTo(Digests.ofState(state)).matches("[0-9a-f]{64}");
        assertThat(Digests.ofState(other)).isNotEqualTo(Digests.ofState(state));
    }
}
