package dev.postonce.index.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.index.Samples;
import dev.postonce.index.entry.EntryFixture;
import dev.postonce.index.entry.EntryRow;
import dev.postonce.index.event.KafkaIndexEvents;
import dev.postonce.index.meter.EventProgress;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.lucene.search.IndexSearcher;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.io.TempDir;

/**
 * A random history with duplicates, gaps and late events, read by an entry writer that forgets its offset now and
 * then, and by replicas that end without a commit or lose their directory: all must end as the plain fold does.
 */
class RandomHistoryIT {

    private static final TopicPartition TASKS = new TopicPartition("postonce.task.v1", 0);
    private static final int RECORDS = 400;
    private static final int KEYS = 12;

    static EntryFixture fixture;

    @TempDir
    Path directory;

    private Random random = new Random();

    @BeforeAll
    static void start() {
        fixture = new EntryFixture();
    }

    @RepeatedTest(4)
    void entries_and_replica_equal_the_fold() throws IOException {
        long seed = new Random().nextLong();
        System.out.println("entries_and_replica_equal_the_fold seed " + seed);
        random = new Random(seed);
        fixture.jdbc.execute(
                "truncate \"index\".entry, \"index\".inbox_event, \"index\".watermark, \"index\".parked_record");
        List<ConsumerRecord<byte[], byte[]>> topic = history();
        Map<String, String> fold = fold(topic);

        long committed = writeWithForgottenOffsets(topic);
        assertThat(committed).isEqualTo(topic.size());
        assertThat(entries()).as("entries, seed %d", seed).isEqualTo(fold);
        assertThat(replicaAfterTroubles(topic)).as("replica, seed %d", seed).isEqualTo(fold);
    }

    private List<ConsumerRecord<byte[], byte[]>> history() {
        List<EventEnvelope> events = new ArrayList<>();
        long[] versions = new long[KEYS];
        while (events.size() < RECORDS) {
            int dice = random.nextInt(10);
            int key = random.nextInt(KEYS);
            if (dice < 6 || events.isEmpty()) {
                versions[key] += 1 + random.nextInt(2);
                boolean deleted = random.nextInt(4) == 0;
                events.add(Samples.event(
                        Samples.task("t", "k" + key, versions[key], "v" + versions[key], "<p>x</p>", deleted)));
            } else if (dice < 9) {
                // The same event again, however old.
                events.add(events.get(random.nextInt(events.size())));
            } else if (versions[key] > 0) {
                // Another content at a version that was used: whichever came first stays.
                events.add(Samples.event(Samples.task("t", "k" + key, 1 + random.nextLong(versions[key]), "lie")));
            }
        }
        List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (EventEnvelope event : events) {
            records.add(Samples.consumed(event, records.size()));
        }
        return records;
    }

    private static Map<String, String> fold(List<ConsumerRecord<byte[], byte[]>> topic) {
        Map<String, Long> newest = new TreeMap<>();
        Map<String, String> result = new TreeMap<>();
        for (ConsumerRecord<byte[], byte[]> one : topic) {
            var event = KafkaIndexEvents.decode(one);
            String key = event.envelope().recordKey().toString();
            long version = event.envelope().aggregateVersion();
            if (version > newest.getOrDefault(key, 0L)) {
                newest.put(key, version);
                result.put(key, version + " " + event.deleted() + " " + event.contentDigest());
            }
        }
        return result;
    }

    private long writeWithForgottenOffsets(List<ConsumerRecord<byte[], byte[]>> topic) {
        int position = 0;
        int committed = 0;
        while (committed < topic.size()) {
            int end = Math.min(topic.size(), position + 1 + random.nextInt(40));
            EntryFixture.writeUntilDone(fixture.newWriter(), topic.subList(position, end));
            position = end;
            int dice = random.nextInt(10);
            if (dice < 6) {
                committed = position;
            } else if (dice == 6) {
                // Ended before the offset's commit.
                position = committed;
            } else if (dice == 7 && random.nextInt(10) == 0) {
                // The group's offsets were lost: everything again.
                position = 0;
                committed = 0;
            }
        }
        return committed;
    }

    private Map<String, String> replicaAfterTroubles(List<ConsumerRecord<byte[], byte[]>> topic) throws IOException {
        Path current = directory.resolve("0");
        int life = 0;
        while (true) {
            try (LuceneIndex index = LuceneIndex.open(current, false, 8)) {
                Checkpoint from = index.checkpoint().orElse(new Checkpoint(Map.of(TASKS, 0L), Map.of()));
                ReplicaFeed feed = new ReplicaFeed(
                        index,
                        from,
                        new ReplicaFeed.Pace(Duration.ofNanos(random.nextInt(50)), Duration.ofNanos(120), 60),
                        fixture.meters,
                        new EventProgress(InstantSource.system()),
                        0);
                boolean last = ++life >= 6;
                int stopAt = last ? topic.size() : random.nextInt(topic.size() + 1);
                for (int i = from.nextOffsets().getOrDefault(TASKS, 0L).intValue(); i < stopAt; i++) {
                    feed.take(topic.get(i));
                    feed.tend(i, random.nextBoolean());
                }
                if (last) {
                    index.refresh();
                    return listing(index);
                }
            }
            if (random.nextInt(4) == 0) {
                current = directory.resolve(Integer.toString(life));
            }
        }
    }

    private static Map<String, String> listing(LuceneIndex index) throws IOException {
        Map<String, String> result = new TreeMap<>();
        IndexSearcher searcher = index.acquire();
        try {
            for (ReplicaListing.Line line : ReplicaListing.of(searcher, "task/t:", "", 1_000)) {
                result.put(line.recordKey(), line.version() + " " + line.deleted() + " " + line.contentDigest());
            }
        } finally {
            index.release(searcher);
        }
        return result;
    }

    private static Map<String, String> entries() {
        Map<String, String> result = new TreeMap<>();
        for (EntryRow row : fixture.entries.page("", "", 1_000)) {
            result.put(row.recordKey(), row.version() + " " + row.deleted() + " " + row.contentDigest());
        }
        return result;
    }
}
