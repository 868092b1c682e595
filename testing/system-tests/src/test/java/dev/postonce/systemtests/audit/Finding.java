package dev.postonce.systemtests.audit;

/**
 * Something that must not be.
 *
 * @param rule the invariant or the harness' own rule
 */
public record Finding(String rule, String key, String explanation) {

    @Override
    public String toString() {
        return rule + " " + key + ": " + explanation;
    }
}
