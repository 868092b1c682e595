package dev.postonce.invariants;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.FactsCollector;
import dev.postonce.invariants.facts.Fingerprint;
import dev.postonce.invariants.facts.ParkedFact;
import dev.postonce.invariants.facts.TooManyFactsException;
import org.junit.jupiter.api.Test;

class FactsCollectorTest {

    @Test
    void it_refuses_more_than_it_was_allowed_to_keep() {
        FactsCollector collector = new FactsCollector(2);
        ParkedFact fact = new ParkedFact(History.PROMO, ParkedFact.By.RELAY, null, null, "too large");
        collector.parked(fact);
        collector.parked(fact);
        assertThatThrownBy(() -> collector.parked(fact))
                .isInstanceOf(TooManyFactsException.class)
                .hasMessageContaining("prefix");
    }

    @Test
    void findings_are_listed_up_to_a_bound_and_counted_beyond() {
        Findings findings = new Findings(InvariantId.I4);
        for (int i = 0; i < Findings.LISTED_MAX + 5; i++) {
            findings.add(ViolationKind.MISSING, "key " + i, "lost");
        }
        assertThat(findings.result().violations()).hasSize(Findings.LISTED_MAX);
        assertThat(findings.result().count(ViolationKind.MISSING)).isEqualTo(Findings.LISTED_MAX + 5L);
    }

    @Test
    void a_fingerprint_is_the_first_half_of_a_digest() {
        String hex = "00112233445566778899aabbccddeeff".repeat(2);
        assertThat(Fingerprint.ofHex(hex)).hasToString(hex.substring(0, 32));
        assertThat(Fingerprint.ofBytes(java.util.HexFormat.of().parseHex(hex))).isEqualTo(Fingerprint.ofHex(hex));
        assertThatThrownBy(() -> Fingerprint.ofHex("00")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void every_invariant_has_a_sentence_in_both_languages_and_every_violation_a_remedy() {
        for (InvariantId id : InvariantId.values()) {
            assertThat(id.english()).endsWith(".");
            assertThat(id.chinese()).endsWith("。");
            for (ViolationKind kind : ViolationKind.values()) {
                assertThat(Remedies.of(id, kind)).endsWith(".");
            }
        }
        assertThat(new AggregateKey(AggregateKey.Kind.TASK, "dev:x").tenantId()).isEqualTo("dev");
    }
}
