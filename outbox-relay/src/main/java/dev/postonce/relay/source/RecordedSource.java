package dev.postonce.relay.source;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the relay wrote down about a source when its slot was made, and how far it has come since. */
public record RecordedSource(
        State state,
        long epoch,
        @Nullable Identity identity,
        @Nullable String baselineSnapshot,
        @Nullable BaselineMark baselineMark,
        long positionLsn,
        long publishedSeq,
        @Nullable String rebaselineRequest) {

    public enum State {
        NEW,
        BASELINE,
        STREAMING
    }

    /** The things that must stay the same things for the position to mean anything. */
    public record Identity(
            String systemIdentifier,
            int timeline,
            String publicationIdentity,
            String kafkaClusterId,
            Map<String, String> topicIds) {

        public Identity {
            topicIds = Map.copyOf(topicIds);
        }
    }

    /** The last row of the table that the baseline has published, in the order of key, version, seq. */
    public record BaselineMark(String recordKey, long aggregateVersion, long seq) {}
}
