package dev.postonce.invariants.facts;

/**
 * A record of a state topic that is no event.
 *
 * @param appendedAtMs when it was sent
 */
public record UndecodableFact(String topic, int partition, long offset, String reason, long appendedAtMs) {

    public UndecodableFact(String topic, int partition, long offset, String reason) {
        this(topic, partition, offset, reason, 0);
    }

    @Override
    public String toString() {
        return topic + " partition " + partition + " offset " + offset;
    }
}
