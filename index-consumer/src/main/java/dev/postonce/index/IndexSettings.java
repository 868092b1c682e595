package dev.postonce.index;

import dev.postonce.index.replica.ReplicaSettings;
import dev.postonce.runtime.Secret;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * The settings of this service; application.yaml maps the POSTONCE_ variables to them.
 *
 * @param instance name of this process
 * @param dir the replica's directory, of this instance alone
 * @param keyPepper the same as ingest-service's
 * @param group the entry writers' shared group
 * @param concurrency consumers of the shared group in this instance
 * @param keyRemembered how long what the database said of an API key is believed
 * @param eventIdsKeptDays longer than any topic keeps a record by time
 */
@ConfigurationProperties("postonce.index")
public record IndexSettings(
        String instance,
        Path dir,
        String keyPepper,
        String group,
        int concurrency,
        Duration keyRemembered,
        int eventIdsKeptDays,
        Lucene lucene) {

    /** @param commitRecords a commit after so many records, or after {@code commitEvery} */
    public record Lucene(double ramBufferMb, Duration refreshEvery, Duration commitEvery, int commitRecords) {}

    private static final int EVENT_IDS_KEPT_DAYS_MIN = 7;

    public IndexSettings {
        if (keyPepper.isBlank()) {
            throw new IllegalArgumentException(
                    "POSTONCE_KEY_PEPPER is empty; set the value that ingest-service has, or no key can be checked");
        }
        if (eventIdsKeptDays < EVENT_IDS_KEPT_DAYS_MIN) {
            throw new IllegalArgumentException("event ids are kept for 7 days at least, was " + eventIdsKeptDays);
        }
    }

    Secret pepper() {
        return Secret.of(keyPepper);
    }

    ReplicaSettings replica() {
        return new ReplicaSettings(
                dir, lucene.ramBufferMb, lucene.refreshEvery, lucene.commitEvery, lucene.commitRecords);
    }

    @Override
    public String toString() {
        return "IndexSettings[instance=" + instance + ", dir=" + dir + ", group=" + group + "]";
    }
}
