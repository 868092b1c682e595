package dev.postonce.index.replica;

import dev.postonce.index.event.IndexKind;
import dev.postonce.index.event.KafkaTopics;
import dev.postonce.index.event.KafkaTopics.Topic;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/** Where a replica goes on, or why it cannot and must be filled anew. Plain arithmetic over what Kafka says. */
record ReplicaStart(
        Map<String, String> topicIds, Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> ends) {

    static final List<String> TOPICS =
            Arrays.stream(IndexKind.values()).map(IndexKind::topic).toList();

    /** @throws KafkaTopics.NotThereException if Kafka or a topic is not there */
    static ReplicaStart ask(KafkaTopics topics) {
        Map<String, String> ids = new HashMap<>();
        List<TopicPartition> partitions = new ArrayList<>();
        for (Topic topic : topics.describe(TOPICS).values()) {
            ids.put(topic.name(), topic.id());
            partitions.addAll(topic.partitionList());
        }
        return new ReplicaStart(
                ids,
                topics.offsets(partitions, OffsetSpec.earliest()),
                topics.offsets(partitions, OffsetSpec.latest()));
    }

    /** Empty if the checkpoint can be gone on from. */
    Optional<String> whyNotFrom(Checkpoint checkpoint) {
        if (!checkpoint.topicIds().equals(topicIds)) {
            return Optional.of("a topic was created anew");
        }
        for (Map.Entry<TopicPartition, Long> end : ends.entrySet()) {
            Long offset = checkpoint.nextOffsets().get(end.getKey());
            if (offset == null) {
                return Optional.of("it has no offset for " + end.getKey());
            }
            if (offset > end.getValue() || offset < beginnings.getOrDefault(end.getKey(), 0L)) {
                return Optional.of("its offset " + offset + " of " + end.getKey() + " is out of range");
            }
        }
        return Optional.empty();
    }

    /**
     * Where to read on after a seed: at what the entry writers had committed before the seed's first page was read.
     * All below that is in the entries that the seed sees; all above is read from the topic; what is in both meets
     * its version. A partition without a usable offset is read from its beginning.
     */
    Map<TopicPartition, Long> offsetsForSeed(Map<TopicPartition, Long> committedByWriters) {
        Map<TopicPartition, Long> result = new HashMap<>();
        beginnings.forEach((partition, beginning) -> {
            long committed = committedByWriters.getOrDefault(partition, beginning);
            long end = ends.getOrDefault(partition, beginning);
            result.put(partition, committed < beginning || committed > end ? beginning : committed);
        });
        return result;
    }
}
