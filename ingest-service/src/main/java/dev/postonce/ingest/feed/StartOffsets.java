package dev.postonce.ingest.feed;

import io.micrometer.core.instrument.Counter;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/**
 * Decides where a partition is read from when it is assigned. The first time: from the beginning, which is recorded.
 * Afterwards a missing offset, or one outside of the log, is an incident: events may have been skipped, so everything
 * is read again from the beginning, which versions and keys make harmless. Never from the end.
 */
public final class StartOffsets implements ConsumerAwareRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(StartOffsets.class);

    private final JdbcConsumerStarts starts;
    private final Counter incidents;
    /** Partitions that are read again after an incident, and the offset up to which. */
    private final Map<TopicPartition, Long> catchingUp = new ConcurrentHashMap<>();

    /** @param incidents counts partitions that were read again because their offset was lost */
    public StartOffsets(JdbcConsumerStarts starts, Counter incidents) {
        this.starts = starts;
        this.incidents = incidents;
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        if (partitions.isEmpty()) {
            return;
        }
        Set<TopicPartition> assigned = new HashSet<>(partitions);
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(assigned);
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(assigned);
        Map<TopicPartition, Long> ends = consumer.endOffsets(assigned);
        for (TopicPartition partition : assigned) {
            @Nullable OffsetAndMetadata offset = committed.get(partition);
            long beginning = beginnings.getOrDefault(partition, 0L);
            long end = ends.getOrDefault(partition, 0L);
            if (offset != null && offset.offset() >= beginning && offset.offset() <= end) {
                starts.record(partition);
            } else if (offset == null && !starts.hasStarted(partition)) {
                begin(consumer, partition, beginning);
                LOG.info("{} is read for the first time, from offset {}", partition, beginning);
            } else {
                String what = offset == null
                        ? "the group's offset is gone"
                        : "offset " + offset.offset() + " is outside of " + beginning + " to " + end;
                recover(consumer, partition, what);
            }
        }
    }

    /** Also called when the log was cut while it was being read. */
    void recover(Consumer<?, ?> consumer, TopicPartition partition, String what) {
        long beginning = consumer.beginningOffsets(Set.of(partition)).getOrDefault(partition, 0L);
        long end = consumer.endOffsets(Set.of(partition)).getOrDefault(partition, 0L);
        LOG.error(
                "INCIDENT on {}: {}. Events may have been skipped, so it is read again from offset {} to {}; what was"
                        + " applied before is recognised. Find out who removed offsets or cut the topic",
                partition,
                what,
                beginning,
                end);
        incidents.increment();
        if (beginning < end) {
            catchingUp.put(partition, end);
        }
        begin(consumer, partition, beginning);
        starts.recordIncident(partition, what);
    }

    /** Committed first, recorded after: a crash between the two looks like a start, not like an incident. */
    private void begin(Consumer<?, ?> consumer, TopicPartition partition, long offset) {
        consumer.seek(partition, offset);
        consumer.commitSync(Map.of(partition, new OffsetAndMetadata(offset)));
        starts.record(partition);
    }

    public void processed(List<ConsumerRecord<byte[], byte[]>> records) {
        if (catchingUp.isEmpty()) {
            return;
        }
        for (ConsumerRecord<byte[], byte[]> kafkaRecord : records) {
            TopicPartition partition = new TopicPartition(kafkaRecord.topic(), kafkaRecord.partition());
            catchingUp.computeIfPresent(partition, (key, end) -> kafkaRecord.offset() + 1 >= end ? null : end);
        }
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
        catchingUp.keySet().removeAll(partitions);
    }

    @Override
    public void onPartitionsRevokedAfterCommit(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        catchingUp.keySet().removeAll(partitions);
    }

    Set<TopicPartition> catchingUp() {
        return Set.copyOf(catchingUp.keySet());
    }
}
