package dev.postonce.relay.source;

import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** How a source stands now, in PostgreSQL and in Kafka. */
public record ObservedSource(
        boolean inRecovery,
        String systemIdentifier,
        int timeline,
        boolean tableExists,
        @Nullable Publication publication,
        @Nullable Slot slot,
        Kafka kafka) {

    /**
     * @param identity object ids and row versions of the publication, its entry for the table and the table
     * @param problem why it does not carry every inserted row whole
     */
    public record Publication(String identity, @Nullable String problem) {}

    /**
     * @param ours a logical slot of pgoutput in this database
     * @param lagBytes what was written to the log since the position that the slot has confirmed
     */
    public record Slot(
            boolean ours, boolean active, String walStatus, long confirmedLsn, long lagBytes, long retainedBytes) {

        public boolean lost() {
            return walStatus.equals("lost");
        }

        /** The next checkpoint may remove what the slot still needs. */
        boolean endangered() {
            return walStatus.equals("unreserved");
        }
    }

    /**
     * @param topicIds of those of the source's topics that exist
     */
    public record Kafka(String clusterId, Map<String, String> topicIds) {

        public Kafka {
            topicIds = Map.copyOf(topicIds);
        }
    }

    public Optional<Slot> slotIfAny() {
        return Optional.ofNullable(slot);
    }
}
