package dev.postonce.index.event;

import dev.postonce.runtime.ClockWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.GroupIdNotFoundException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** What the admin client says of the topics and of a group's offsets. Creates nothing. */
public final class KafkaTopics implements ClockWatch.Listener, AutoCloseable {

    private static final long ANSWER_TIMEOUT_MS = 10_000;

    private final Supplier<Admin> admins;
    private volatile Admin admin;

    public KafkaTopics(Supplier<Admin> admins) {
        this.admins = admins;
        this.admin = admins.get();
    }

    /** Questions that wait for an answer fail, and are asked again by whoever asked. */
    @Override
    public void clockSetBack() {
        Admin before = admin;
        admin = admins.get();
        before.close(Duration.ZERO);
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }

    /** Kafka does not answer, or a topic is not there: wait and ask again; the admin step creates topics. */
    public static final class NotThereException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotThereException(String message, Throwable cause) {
            super(message, cause);
        }
    }

    public record Topic(String name, String id, int partitions) {
        public List<TopicPartition> partitionList() {
            List<TopicPartition> result = new ArrayList<>();
            for (int i = 0; i < partitions; i++) {
                result.add(new TopicPartition(name, i));
            }
            return result;
        }
    }

    /** @throws NotThereException naming the topic that is missing */
    public Map<String, Topic> describe(Collection<String> names) {
        Map<String, Topic> result = new TreeMap<>();
        admin.describeTopics(names).topicNameValues().forEach((name, future) -> {
            TopicDescription description = answer("topic " + name, future);
            result.put(
                    name,
                    new Topic(
                            name,
                            description.topicId().toString(),
                            description.partitions().size()));
        });
        return result;
    }

    public Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, OffsetSpec which) {
        Map<TopicPartition, OffsetSpec> question =
                new TreeMap<>(java.util.Comparator.comparing(TopicPartition::toString));
        partitions.forEach(partition -> question.put(partition, which));
        Map<TopicPartition, ListOffsetsResultInfo> answer =
                answer("offsets", admin.listOffsets(question).all());
        Map<TopicPartition, Long> result = new java.util.HashMap<>();
        answer.forEach((partition, info) -> result.put(partition, info.offset()));
        return result;
    }

    /** Without those that it has not committed. */
    public Map<TopicPartition, Long> committed(String group) {
        Map<TopicPartition, OffsetAndMetadata> answer;
        try {
            answer = answer(
                    "offsets of " + group, admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
        } catch (NotThereException e) {
            if (e.getCause() instanceof GroupIdNotFoundException) {
                return Map.of();
            }
            throw e;
        }
        Map<TopicPartition, Long> result = new java.util.HashMap<>();
        answer.forEach((partition, offset) -> {
            if (offset != null) {
                result.put(partition, offset.offset());
            }
        });
        return result;
    }

    private static <T> T answer(String what, KafkaFuture<T> future) {
        try {
            return future.get(ANSWER_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            String why = cause instanceof UnknownTopicOrPartitionException ? " is missing" : ": " + cause.getMessage();
            throw new NotThereException(what + why, cause);
        } catch (TimeoutException e) {
            throw new NotThereException(what + ": Kafka does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NotThereException(what + ": interrupted", e);
        }
    }
}
