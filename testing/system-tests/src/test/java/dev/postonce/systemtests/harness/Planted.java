package dev.postonce.systemtests.harness;

/**
 * A record that a test wrote onto a topic of ours, and that is no event of ours.
 *
 * @param recordKey under which nothing of ours stands
 */
public record Planted(String topic, int partition, long offset, String recordKey) {

    public String key() {
        return topic + " partition " + partition + " offset " + offset;
    }

    /** Whether that is what a checker says of it: by its place, or by its key where its envelope could be read. */
    public boolean isNamedBy(String key) {
        return key.equals(key()) || key.endsWith(" " + recordKey);
    }
}
