package dev.postonce.systemtests.harness;

/** A record that a test wrote onto a topic of ours, and that is no event. */
public record Planted(String topic, int partition, long offset) {

    /** As the checkers name it. */
    public String key() {
        return topic + " partition " + partition + " offset " + offset;
    }
}
