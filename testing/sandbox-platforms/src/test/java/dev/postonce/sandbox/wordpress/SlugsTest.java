package dev.postonce.sandbox.wordpress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlugsTest {

    @ParameterizedTest
    @CsvSource({
        "größe-ü, grose-u",
        "'Hello, World! a_b.c/d  e--f', hello-world-a_b-c-d-e-f",
        "-x-, x",
        "Ångström Œuvre, angstrom-oeuvre",
        "双11, %e5%8f%8c11",
        "<b>bold</b> &amp; 100%, bold-100",
        "%E5%8F%8C, %e5%8f%8c",
        "po1-0123456789abcdef, po1-0123456789abcdef"
    })
    void a_slug_is_ascii(String title, String slug) {
        assertThat(Slugs.sanitize(title)).isEqualTo(slug);
    }

    @Test
    void a_long_slug_is_cut_between_characters_and_leaves_room_for_its_suffix() {
        String han = Slugs.sanitize("双".repeat(40));
        assertThat(han).isEqualTo("%e5%8f%8c".repeat(22));

        String latin = Slugs.sanitize("l".repeat(250));
        assertThat(latin).hasSize(200);
        assertThat(Slugs.unique(latin, false, Set.of(latin)::contains)).isEqualTo("l".repeat(198) + "-2");
    }

    @Test
    void a_taken_slug_gets_the_first_free_number() {
        assertThat(Slugs.unique("a", false, Set.of()::contains)).isEqualTo("a");
        assertThat(Slugs.unique("a", false, Set.of("a", "a-2")::contains)).isEqualTo("a-3");
        assertThat(Slugs.unique("a", true, Set.of()::contains)).isEqualTo("a-2");
    }

    @Test
    void names_of_feeds_and_bare_numbers_are_never_given_out() {
        assertThat(Slugs.unique("feed", false, Set.of()::contains)).isEqualTo("feed-2");
        assertThat(Slugs.unique("2024", false, Set.of()::contains)).isEqualTo("2024-2");
    }
}
