package dev.postonce.invariants.facts;

/** A record of a state topic that is no event. */
public record UndecodableFact(String topic, int partition, long offset, String reason) {

    @Override
    public String toString() {
        return topic + " partition " + partition + " offset " + offset;
    }
}
