package dev.postonce.index.replica;

import dev.postonce.contract.UndecodableEventException;
import dev.postonce.index.entry.EntryRow;
import dev.postonce.index.entry.JdbcEntries;
import dev.postonce.index.entry.JdbcStartPositions;
import dev.postonce.index.event.KafkaTopics;
import dev.postonce.runtime.FailPoint;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills an empty replica from {@code "index".entry}, in key order, a page at a time. */
public final class ReplicaSeed {

    private static final Logger LOG = LoggerFactory.getLogger(ReplicaSeed.class);
    private static final int PAGE_ROWS = 200;

    private final JdbcEntries entries;
    private final JdbcStartPositions positions;
    private final KafkaTopics topics;
    private final String writersGroup;

    public ReplicaSeed(JdbcEntries entries, JdbcStartPositions positions, KafkaTopics topics, String writersGroup) {
        this.entries = entries;
        this.positions = positions;
        this.topics = topics;
        this.writersGroup = writersGroup;
    }

    /** What the entry writers have committed, without what belongs to a topic that was there before. */
    Map<TopicPartition, Long> writersOffsets(ReplicaStart start) {
        Map<TopicPartition, Long> result = new HashMap<>(topics.committed(writersGroup));
        result.keySet().removeIf(partition -> {
            String idNow = start.topicIds().get(partition.topic());
            return idNow == null
                    || !idNow.equals(positions.topicIdAtStart(partition).orElse(""));
        });
        return result;
    }

    /**
     * @param goOn asked between pages
     * @return how many rows it wrote, or -1 if it was told to stop
     */
    long fill(LuceneIndex index, BooleanSupplier goOn) throws IOException {
        String kind = "";
        String key = "";
        long rows = 0;
        while (goOn.getAsBoolean()) {
            List<EntryRow> page = entries.page(kind, key, PAGE_ROWS);
            for (EntryRow row : page) {
                put(index, row);
            }
            rows += page.size();
            FailPoint.hit("index.replica-after-seed-page");
            if (page.size() < PAGE_ROWS) {
                return rows;
            }
            EntryRow last = page.get(page.size() - 1);
            kind = last.kind().wireName();
            key = last.recordKey();
        }
        return -1;
    }

    private static void put(LuceneIndex index, EntryRow row) throws IOException {
        try {
            index.apply(ReplicaDocument.of(row));
        } catch (UndecodableEventException e) {
            // It was decodable when it was written: an entry of another release. verify will list it as missing.
            LOG.error(
                    "entry {} cannot be read and is not in this replica; re-emit it at its source", row.recordKey(), e);
        }
    }
}
