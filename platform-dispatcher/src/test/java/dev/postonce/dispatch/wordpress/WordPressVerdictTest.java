package dev.postonce.dispatch.wordpress;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.dispatch.wordpress.WordPressVerdict.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class WordPressVerdictTest {

    private static final String OURS = "po1-00112233445566778899aabbccddeeff";
    private static final String THEIRS = "po1-ffeeddccbbaa99887766554433221100";

    private static WordPressPost post(long id, String slug, String status, String marker) {
        return new WordPressPost(id, slug, status, "https://x/" + slug, "Title", marker, 1);
    }

    private static WordPressVerdict verdict(Phase phase, WordPressPost... seen) {
        return WordPressVerdict.of(List.of(seen), OURS, "big-sale", "Title", phase);
    }

    @Test
    void nobody_has_it() {
        assertThat(verdict(Phase.BEFORE_CREATE)).isInstanceOf(WordPressVerdict.Nobody.class);
        assertThat(verdict(Phase.BEFORE_CREATE, post(1, "big-sale-2", "publish", null)))
                .isInstanceOf(WordPressVerdict.Nobody.class);
        assertThat(verdict(Phase.BEFORE_CREATE, post(1, "big-sale__trashed", "trash", null)))
                .isInstanceOf(WordPressVerdict.Nobody.class);
    }

    @Test
    void ours_is_kept_whatever_its_slug_as_long_as_nobody_else_holds_ours() {
        WordPressPost suffixed = post(5, "big-sale-2", "publish", OURS);
        assertThat(verdict(Phase.AFTER_CREATE, suffixed)).isEqualTo(new WordPressVerdict.Keep(suffixed, List.of()));
    }

    @Test
    void of_two_of_ours_the_older_stays() {
        WordPressPost older = post(5, "big-sale", "publish", OURS);
        WordPressPost newer = post(6, "big-sale-2", "publish", OURS);
        assertThat(verdict(Phase.AFTER_CREATE, newer, older))
                .isEqualTo(new WordPressVerdict.Keep(older, List.of(newer)));
    }

    @Test
    void two_posts_of_one_slug_are_told_apart_by_the_marker() {
        WordPressPost ours = post(6, "big-sale", "publish", OURS);
        assertThat(verdict(Phase.AFTER_CREATE, post(5, "big-sale", "publish", THEIRS), ours))
                .isEqualTo(new WordPressVerdict.Keep(ours, List.of()));
    }

    @Test
    void a_stranger_s_slug_is_not_ours_and_our_suffixed_post_goes() {
        WordPressPost foreign = post(5, "big-sale", "publish", null);
        WordPressPost ours = post(6, "big-sale-2", "publish", OURS);
        assertThat(verdict(Phase.BEFORE_CREATE, foreign)).isEqualTo(new WordPressVerdict.SlugTaken(List.of()));
        assertThat(verdict(Phase.AFTER_CREATE, foreign, ours)).isEqualTo(new WordPressVerdict.SlugTaken(List.of(ours)));
        assertThat(verdict(Phase.BEFORE_CREATE, post(5, "big-sale", "draft", THEIRS)))
                .isEqualTo(new WordPressVerdict.SlugTaken(List.of()));
    }

    @Test
    void a_post_in_the_trash_is_neither_absent_nor_there() {
        WordPressPost trashed = post(5, "big-sale__trashed", "trash", OURS);
        assertThat(verdict(Phase.AFTER_CREATE, trashed)).isEqualTo(new WordPressVerdict.Trashed(trashed));
        assertThat(verdict(Phase.AFTER_CREATE, trashed, post(6, "big-sale", "publish", null)))
                .isEqualTo(new WordPressVerdict.SlugTaken(List.of()));
    }

    @Test
    void an_unmarked_twin_is_for_a_person_and_another_s_post_is_not_ours() {
        WordPressPost twin = post(5, "big-sale", "publish", null);
        assertThat(verdict(Phase.AFTER_CREATE, twin)).isEqualTo(new WordPressVerdict.Ambiguous(twin));
        WordPressPost other = new WordPressPost(5, "big-sale", "publish", null, "Something else", null, 0);
        assertThat(verdict(Phase.AFTER_CREATE, other)).isInstanceOf(WordPressVerdict.Nobody.class);
    }

    /** After the verdict is carried out, at most one live post of ours is left; never is a stranger's touched. */
    @Test
    void whatever_is_seen_at_most_one_of_ours_is_left() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        for (int round = 0; round < 20_000; round++) {
            List<WordPressPost> seen = new ArrayList<>();
            for (int i = random.nextInt(5); i > 0; i--) {
                seen.add(post(
                        i,
                        random.nextBoolean() ? "big-sale" : "big-sale-" + i,
                        List.of("publish", "draft", "trash").get(random.nextInt(3)),
                        random.nextBoolean() ? OURS : random.nextBoolean() ? THEIRS : null));
            }
            Phase phase = random.nextBoolean() ? Phase.BEFORE_CREATE : Phase.AFTER_CREATE;
            WordPressVerdict verdict = WordPressVerdict.of(seen, OURS, "big-sale", "Title", phase);
            List<WordPressPost> removed = verdict instanceof WordPressVerdict.Keep keep
                    ? keep.doubles()
                    : verdict instanceof WordPressVerdict.SlugTaken taken ? taken.ours() : List.of();
            long left = seen.stream()
                    .filter(post -> post.carries(OURS) && !post.isTrashed() && !removed.contains(post))
                    .count();
            assertThat(left)
                    .as("seed %d, round %d: %s -> %s", seed, round, seen, verdict)
                    .isLessThanOrEqualTo(1);
            assertThat(removed).as("seed %d, round %d", seed, round).allMatch(post -> post.carries(OURS));
        }
    }

    @Test
    void a_post_is_read_only_in_the_editor_s_form_and_its_last_marker_counts() {
        String json =
                """
                {"id":7,"slug":"a","status":"publish","link":"https://x/a","title":{"raw":"T"},"content":{"raw":
                "<p><!-- postonce:%s v1 --></p>\\n<!-- postonce:%s v3 -->"}}
                """
                        .formatted(THEIRS, OURS);
        WordPressPost read =
                WordPressPost.of(JsonMapper.shared().readTree(json)).orElseThrow();
        assertThat(read.marker()).isEqualTo(OURS);
        assertThat(read.taskVersion()).isEqualTo(3);
        assertThat(WordPressPost.of(JsonMapper.shared()
                        .readTree("{\"id\":7,\"slug\":\"a\",\"status\":\"publish\",\"content\":{\"rendered\":\"x\"}}")))
                .isEmpty();
    }

    @Test
    void slugs_are_compared_as_wordpress_writes_them() {
        assertThat(WordPressPost.sameSlug("%e5%8f%8c11", "双11")).isTrue();
        assertThat(WordPressPost.sameSlug("Big-Sale", "big-sale")).isTrue();
        assertThat(WordPressPost.sameSlug("big-sale-2", "big-sale")).isFalse();
    }
}
