package dev.postonce.dispatch.intake;

import dev.postonce.dispatch.ledger.DispatchMeters;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.kafka.listener.ConsumerAwareRebalanceListener;

/**
 * Where a partition is read from when the group has no offset for it. The first time that is the beginning, and it
 * is recorded; ever after it is an incident: the offset was lost. Reading then begins anew too, never at the end;
 * the gate and the ledger make that harmless, but somebody must hear of it.
 */
public final class JdbcStartOffsets implements ConsumerAwareRebalanceListener {

    private static final Logger LOG = LoggerFactory.getLogger(JdbcStartOffsets.class);

    private static final String STARTED =
            "select topic, partition_number from dispatch.consumer_start where consumer = ?";

    private static final String RECORD =
            """
            insert into dispatch.consumer_start (consumer, topic, partition_number) values (?, ?, ?)
            on conflict do nothing
            """;

    private final JdbcTemplate jdbc;
    private final String consumerName;
    private final DispatchMeters meters;
    private final AtomicLong incidents = new AtomicLong();

    public JdbcStartOffsets(JdbcTemplate jdbc, String consumerName, DispatchMeters meters) {
        this.jdbc = jdbc;
        this.consumerName = consumerName;
        this.meters = meters;
    }

    /** Since this process began. */
    public long incidents() {
        return incidents.get();
    }

    @Override
    public void onPartitionsAssigned(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        Map<TopicPartition, OffsetAndMetadata> committed = consumer.committed(new HashSet<>(partitions));
        List<TopicPartition> without = new ArrayList<>();
        for (TopicPartition partition : partitions) {
            if (committed.get(partition) == null) {
                without.add(partition);
            }
        }
        if (without.isEmpty()) {
            return;
        }
        Set<TopicPartition> started = started();
        List<TopicPartition> lost = without.stream().filter(started::contains).toList();
        List<TopicPartition> fresh = without.stream()
                .filter(partition -> !started.contains(partition))
                .toList();
        if (!lost.isEmpty()) {
            incident(lost, consumer, "the group has lost its offset");
        }
        if (!fresh.isEmpty()) {
            LOG.info("first start of {} on {}: from the beginning", consumerName, fresh);
            beginAnew(consumer, fresh);
        }
        for (TopicPartition partition : fresh) {
            jdbc.update(RECORD, consumerName, partition.topic(), partition.partition());
        }
    }

    void incident(Collection<TopicPartition> partitions, Consumer<?, ?> consumer, String why) {
        incidents.incrementAndGet();
        meters.offsetIncident();
        LOG.error(
                "OFFSET INCIDENT: {} for {}. Everything is read again from the beginning, which sends nothing twice;"
                        + " find out who removed the offsets or the records",
                why,
                partitions);
        beginAnew(consumer, partitions);
    }

    /** Committed at once, so that a crash before the first batch does not look like a lost offset. */
    private static void beginAnew(Consumer<?, ?> consumer, Collection<TopicPartition> partitions) {
        Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(partitions);
        Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
        beginnings.forEach((partition, offset) -> {
            consumer.seek(partition, offset);
            offsets.put(partition, new OffsetAndMetadata(offset));
        });
        consumer.commitSync(offsets);
    }

    private Set<TopicPartition> started() {
        return new HashSet<>(jdbc.query(
                STARTED, (row, number) -> new TopicPartition(row.getString(1), row.getInt(2)), consumerName));
    }
}
