package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TargetMarkerTest {

    @Test
    void a_marker_never_changes_since_posts_carry_it() {
        assertThat(TargetMarker.of("dev", "mall_promo_1111_kv_v2", Platform.WORDPRESS))
                .isEqualTo("po1-1822d3174f6d353ad1e9bb923441fa11");
    }

    @Test
    void each_target_has_its_own_marker_of_plain_characters() {
        Set<String> markers = new HashSet<>();
        for (String tenant : new String[] {"dev", "mall", "a"}) {
            for (String externalId : new String[] {"a", "A", "b_c", "b-c"}) {
                for (Platform platform : Platform.values()) {
                    String marker = TargetMarker.of(tenant, externalId, platform);
                    assertThat(marker).matches("po1-[0-9a-f]{32}");
                    markers.add(marker);
                }
            }
        }
        assertThat(markers).hasSize(3 * 4 * Platform.values().length);
    }
}
