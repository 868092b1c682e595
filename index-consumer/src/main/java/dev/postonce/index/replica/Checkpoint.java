package dev.postonce.index.replica;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * What stands in a Lucene commit beside the documents: up to where the topics are in it. Written by the same commit,
 * so the two cannot part.
 *
 * @param nextOffsets the first offset of each partition that is not in it
 * @param topicIds the ids of the topics that the offsets belong to
 */
record Checkpoint(Map<TopicPartition, Long> nextOffsets, Map<String, String> topicIds) {

    /** Of fields and analysis. An index of another format is built anew. */
    static final String FORMAT = "1";

    private static final String FORMAT_KEY = "postonce.format";
    private static final String OFFSET = "offset:";
    private static final String TOPIC_ID = "topic-id:";

    Map<String, String> toUserData() {
        Map<String, String> data = new HashMap<>();
        data.put(FORMAT_KEY, FORMAT);
        nextOffsets.forEach((partition, offset) ->
                data.put(OFFSET + partition.partition() + ":" + partition.topic(), Long.toString(offset)));
        topicIds.forEach((topic, id) -> data.put(TOPIC_ID + topic, id));
        return data;
    }

    /** Empty if the commit is none of ours, or of another format. */
    static Optional<Checkpoint> ofUserData(Iterable<Map.Entry<String, String>> data) {
        Map<TopicPartition, Long> offsets = new HashMap<>();
        Map<String, String> topicIds = new HashMap<>();
        boolean sameFormat = false;
        for (Map.Entry<String, String> entry : data) {
            String name = entry.getKey();
            if (name.equals(FORMAT_KEY)) {
                sameFormat = entry.getValue().equals(FORMAT);
            } else if (name.startsWith(OFFSET)) {
                int colon = name.indexOf(':', OFFSET.length());
                int partition = Integer.parseInt(name.substring(OFFSET.length(), colon));
                offsets.put(new TopicPartition(name.substring(colon + 1), partition), Long.parseLong(entry.getValue()));
            } else if (name.startsWith(TOPIC_ID)) {
                topicIds.put(name.substring(TOPIC_ID.length()), entry.getValue());
            }
        }
        return sameFormat ? Optional.of(new Checkpoint(offsets, topicIds)) : Optional.empty();
    }
}
