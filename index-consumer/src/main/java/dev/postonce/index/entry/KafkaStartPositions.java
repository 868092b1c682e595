package dev.postonce.index.entry;

import dev.postonce.index.entry.JdbcStartPositions.Reason;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.meter.IndexMeters.Alarm;
import dev.postonce.runtime.FailPoint;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/**
 * Where the shared group starts to read. A partition's first start is at the beginning, and that is recorded; from
 * then on an offset that is missing, or belongs to a topic that was created anew, is an incident: alarm, and from the
 * beginning again, which the gate makes harmless. Never from the end: that would skip what nobody has seen.
 *
 * <p>Runs in the callbacks of the one consumer that owns the partition, so no two instances decide on it at once.
 */
public final class KafkaStartPositions implements ConsumerAwareRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaStartPositions.class);
    private static final int INCIDENTS_SHOWN_MAX = 10;

    private final JdbcStartPositions positions;
    private final IndexMeters meters;
    private final Map<String, String> topicIds = new ConcurrentHashMap<>();
    private final Deque<String> incidents = new ArrayDeque<>();
    private volatile boolean unchecked;

    public KafkaStartPositions(JdbcStartPositions positions, IndexMeters meters) {
        this.positions = positions;
        this.meters = meters;
    }

    /** The topics' ids as Kafka has them now; needed before the first partition is assigned. */
    public void topicIds(Map<String, String> ids) {
        topicIds.putAll(ids);
    }

    /** The last incidents since this process started, for the health page. */
    public synchronized List<String> incidents() {
        return List.copyOf(incidents);
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        try {
            check(consumer, partitions);
        } catch (RuntimeException e) {
            unchecked = true;
            throw e;
        }
    }

    /**
     * Whether partitions were assigned whose start could not be checked, as when the database was away. The container
     * must not go on with them: it is stopped, and started again.
     */
    boolean takeUnchecked() {
        boolean was = unchecked;
        unchecked = false;
        return was;
    }

    private void check(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(Set.copyOf(partitions));
        Map<TopicPartition, Reason> fromBeginning = new LinkedHashMap<>();
        for (TopicPartition partition : partitions) {
            Optional<String> known = positions.topicIdAtStart(partition);
            OffsetAndMetadata offset = committed.get(partition);
            if (known.isPresent() && !known.get().equals(topicId(partition))) {
                fromBeginning.put(partition, Reason.TOPIC_RECREATED);
            } else if (offset == null) {
                fromBeginning.put(partition, known.isPresent() ? Reason.OFFSET_MISSING : Reason.FIRST_START);
            } else if (known.isEmpty()) {
                // The process ended between the offset's commit and its record: what follows is what it had begun.
                positions.begun(partition, topicId(partition), offset.offset(), Reason.FIRST_START);
            }
        }
        beginAgain(consumer, fromBeginning);
    }

    /** @param reasons an incident for each partition, but for a first start */
    void beginAgain(Consumer<?, ?> consumer, Map<TopicPartition, Reason> reasons) {
        if (reasons.isEmpty()) {
            return;
        }
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(reasons.keySet());
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        beginnings.forEach((partition, offset) -> offsets.put(partition, new OffsetAndMetadata(offset)));
        beginnings.forEach(consumer::seek);
        consumer.commitSync(offsets);
        // Recorded after the commit: in the other order an end in between would look like a lost offset.
        reasons.forEach((partition, reason) -> {
            long offset = beginnings.getOrDefault(partition, 0L);
            positions.begun(partition, topicId(partition), offset, reason);
            if (reason == Reason.FIRST_START) {
                LOG.info("first start of {}: from offset {}", partition, offset);
            } else {
                incident(partition, reason, offset);
            }
        });
    }

    private void incident(TopicPartition partition, Reason reason, long offset) {
        meters.alarm(
                switch (reason) {
                    case OFFSET_OUT_OF_RANGE -> Alarm.OFFSET_OUT_OF_RANGE;
                    case TOPIC_RECREATED -> Alarm.TOPIC_RECREATED;
                    default -> Alarm.OFFSET_MISSING;
                });
        String text = partition + " " + reason.word() + ", read again from offset " + offset;
        LOG.error("{}; the gate drops what is known, run verify once it is drained", text);
        synchronized (this) {
            if (incidents.size() == INCIDENTS_SHOWN_MAX) {
                incidents.removeFirst();
            }
            incidents.addLast(text);
        }
    }

    private String topicId(TopicPartition partition) {
        return topicIds.getOrDefault(partition.topic(), "");
    }

    @Override
    public void onPartitionsRevokedBeforeCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        FailPoint.hit("index.in-revoked-callback");
    }

    @Override
    public void onPartitionsLost(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        FailPoint.hit("index.in-lost-callback");
        LOG.warn("lost {} to another instance; what is in hand will not pass the watermarks twice", partitions);
    }
}
