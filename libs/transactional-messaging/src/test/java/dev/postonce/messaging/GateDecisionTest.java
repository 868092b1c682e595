package dev.postonce.messaging;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.messaging.GateDecision.Watermark;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GateDecisionTest {

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "false, -, 1, a, APPLY",
                "false, -, 7, a, APPLY",
                "true,  -, 1, a, DUPLICATE",
                "false, 4, 5, b, APPLY",
                "false, 4, 9, b, APPLY",
                "false, 4, 3, a, STALE",
                "false, 4, 4, a, DUPLICATE",
                "false, 4, 4, b, CONFLICT",
                "true,  4, 4, b, DUPLICATE",
                "true,  4, 5, b, DUPLICATE",
                "true,  4, 3, b, DUPLICATE"
            })
    void the_gate(boolean seen, @Nullable Long watermark, long version, String digest, GateDecision decision) {
        Watermark mark = watermark == null ? null : new Watermark(watermark, "a");
        assertThat(GateDecision.decide(seen, mark, version, digest)).isEqualTo(decision);
    }
}
