package dev.postonce.index.replica;

import dev.postonce.contract.UndecodableEventException;
import dev.postonce.index.event.IndexEvent;
import dev.postonce.index.event.KafkaIndexEvents;
import dev.postonce.index.meter.EventProgress;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.meter.IndexMeters.Decision;
import dev.postonce.runtime.FailPoint;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes records into an open index, makes them visible soon and durable now and then. Owned by the reading thread.
 * Time comes from outside, in nanoseconds that only rise.
 */
final class ReplicaFeed {

    /** @param commitDocuments a commit after so many records, or after the time */
    record Pace(Duration refresh, Duration commit, int commitDocuments) {}

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaFeed.class);

    private static final long REFRESH_SHARE = 3;
    private static final long REFRESH_PAUSE_NS_MAX = Duration.ofSeconds(1).toNanos();

    private final LuceneIndex index;
    private final Map<String, String> topicIds;
    private final Map<TopicPartition, Long> next;
    private final Pace pace;
    private final IndexMeters meters;
    private final EventProgress progress;

    private int uncommitted;
    private long refreshedAtNs;
    private long refreshPauseNs;
    private long committedAtNs;
    private Instant newest = Instant.EPOCH;

    ReplicaFeed(LuceneIndex index, Checkpoint from, Pace pace, IndexMeters meters, EventProgress progress, long nowNs) {
        this.index = index;
        this.topicIds = Map.copyOf(from.topicIds());
        this.next = new HashMap<>(from.nextOffsets());
        this.pace = pace;
        this.meters = meters;
        this.progress = progress;
        this.refreshedAtNs = nowNs;
        this.refreshPauseNs = pace.refresh.toNanos();
        this.committedAtNs = nowNs;
    }

    void take(ConsumerRecord<byte[], byte[]> kafkaRecord) throws IOException {
        Instant time = Instant.ofEpochMilli(kafkaRecord.timestamp());
        progress.taken(time);
        meters.countInReplica(apply(kafkaRecord));
        next.put(new TopicPartition(kafkaRecord.topic(), kafkaRecord.partition()), kafkaRecord.offset() + 1);
        newest = time;
        uncommitted++;
    }

    /** A position may lie past the last record: compaction leaves gaps. */
    void positionAt(TopicPartition partition, long position) {
        next.merge(partition, position, Math::max);
    }

    private Decision apply(ConsumerRecord<byte[], byte[]> kafkaRecord) throws IOException {
        try {
            if (!(KafkaIndexEvents.decode(kafkaRecord) instanceof IndexEvent.OfEntry event)) {
                return Decision.PARKED;
            }
            return switch (index.apply(ReplicaDocument.of(event))) {
                case APPLY -> Decision.APPLIED;
                case DUPLICATE -> Decision.DUPLICATE;
                case STALE -> Decision.STALE;
                case CONFLICT -> Decision.CONFLICT;
            };
        } catch (UndecodableEventException e) {
            // The entry writer parks it; here it is passed by. The two decode with the same code.
            return Decision.PARKED;
        } catch (IllegalArgumentException e) {
            LOG.error(
                    "Lucene refuses {}-{}@{}; this replica lacks it, verify will list it",
                    kafkaRecord.topic(),
                    kafkaRecord.partition(),
                    kafkaRecord.offset(),
                    e);
            return Decision.PARKED;
        }
    }

    /**
     * Refreshes and commits where it is time to.
     *
     * @param seen whether anybody may search yet; until then only the index's own bound makes it refresh
     */
    void tend(long nowNs, boolean seen) throws IOException {
        if (seen && index.hasUnrefreshed() && nowNs - refreshedAtNs >= refreshPauseNs) {
            refresh(nowNs);
        }
        boolean old = nowNs - committedAtNs >= pace.commit.toNanos();
        if (uncommitted >= pace.commitDocuments || (uncommitted > 0 && old)) {
            commit(nowNs);
        }
    }

    /** How long the reading thread may wait for records without being late with a refresh. */
    Duration patience(long nowNs, Duration longest) {
        if (!index.hasUnrefreshed()) {
            return longest;
        }
        Duration left = Duration.ofNanos(refreshPauseNs - (nowNs - refreshedAtNs));
        return left.isNegative() ? Duration.ZERO : left.compareTo(longest) < 0 ? left : longest;
    }

    void refresh(long nowNs) throws IOException {
        FailPoint.hit("index.replica-after-write-before-refresh");
        long start = System.nanoTime();
        index.refresh();
        long tookNs = System.nanoTime() - start;
        meters.refresh().record(Duration.ofNanos(tookNs));
        refreshedAtNs = nowNs;
        // On a busy machine refreshes would otherwise take the whole thread.
        refreshPauseNs = Math.max(pace.refresh.toNanos(), Math.min(REFRESH_SHARE * tookNs, REFRESH_PAUSE_NS_MAX));
        progress.applied(newest);
    }

    void commit(long nowNs) throws IOException {
        FailPoint.hit("index.replica-after-write-before-commit");
        long start = System.nanoTime();
        index.commit(new Checkpoint(Map.copyOf(next), topicIds));
        meters.commit().record(Duration.ofNanos(System.nanoTime() - start));
        committedAtNs = nowNs;
        uncommitted = 0;
        FailPoint.hit("index.replica-after-commit");
    }

    Map<TopicPartition, Long> nextOffsets() {
        return Map.copyOf(next);
    }
}
