package dev.postonce.relay.source;

import dev.postonce.messaging.KafkaAccess;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.JdbcObservations.KafkaObservations;
import dev.postonce.relay.source.JdbcObservations.KafkaSilentException;
import dev.postonce.runtime.ClockWatch;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Which cluster this is, and which incarnation of each topic. */
public final class KafkaIdentity implements KafkaObservations, ClockWatch.Listener, AutoCloseable {

    private static final long ANSWER_WITHIN_S = 10;

    private final Map<String, Object> settings;
    private volatile Admin admin;

    public KafkaIdentity(KafkaAccess access) {
        this.settings = access.settings();
        settings.put("client.id", "postonce-relay-admin");
        settings.put("request.timeout.ms", "5000");
        settings.put("default.api.timeout.ms", "8000");
        this.admin = Admin.create(settings);
    }

    /** A question that waits for its answer fails, which is Kafka's silence. */
    @Override
    public void clockSetBack() {
        Admin before = admin;
        admin = Admin.create(settings);
        before.close(Duration.ZERO);
    }

    @Override
    public ObservedSource.Kafka observe(OutboxSource source) throws InterruptedException {
        try {
            String clusterId = admin.describeCluster().clusterId().get(ANSWER_WITHIN_S, TimeUnit.SECONDS);
            Map<String, String> ids = new HashMap<>();
            for (Map.Entry<String, KafkaFuture<TopicDescription>> topic :
                    admin.describeTopics(source.topics()).topicNameValues().entrySet()) {
                try {
                    ids.put(
                            topic.getKey(),
                            topic.getValue()
                                    .get(ANSWER_WITHIN_S, TimeUnit.SECONDS)
                                    .topicId()
                                    .toString());
                } catch (ExecutionException e) {
                    if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
                        throw e;
                    }
                }
            }
            return new ObservedSource.Kafka(clusterId, ids);
        } catch (ExecutionException | TimeoutException e) {
            throw new KafkaSilentException("Kafka did not answer: " + e, e);
        }
    }

    @Override
    public void close() {
        admin.close(Duration.ZERO);
    }
}
