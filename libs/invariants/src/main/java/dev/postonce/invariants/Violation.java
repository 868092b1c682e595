package dev.postonce.invariants;

/**
 * One key at which an invariant does not hold.
 *
 * @param key such as {@code task dev:mall_promo_1111_kv_v2}; names the aggregate or the target
 * @param explanation what was seen where, in one sentence
 */
public record Violation(InvariantId invariant, ViolationKind kind, String key, String explanation) {

    /** What a person does about it. */
    public String remedy() {
        return Remedies.of(invariant, kind);
    }
}
