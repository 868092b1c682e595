package dev.postonce.ingest.batch;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The limits of a batch. Each line may be as long as the body of a single submission.
 *
 * @param linesMax of one request, blank ones included
 * @param atOnceMax batches that this process works on at one time
 * @param chunkLinesMax lines that share a statement
 * @param bytesInHandMax of the lines of one batch that are read and not yet answered
 * @param unreadMsMax how long a client may take nothing of the answers that wait for it
 */
@ConfigurationProperties("postonce.batch")
public record BatchSettings(
        @DefaultValue("10000") int linesMax,
        @DefaultValue("4") int atOnceMax,
        @DefaultValue("100") int chunkLinesMax,
        @DefaultValue("2097152") int bytesInHandMax,
        @DefaultValue("600000") int unreadMsMax) {

    public BatchSettings {
        if (linesMax < 1 || atOnceMax < 1 || chunkLinesMax < 1 || bytesInHandMax < 1 || unreadMsMax < 1) {
            throw new IllegalArgumentException("the limits of POSTONCE_BATCH_… are 1 or more");
        }
    }
}
