package dev.postonce.messaging;

import dev.postonce.contract.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** The admin step: creates what is missing, and refuses to go on over a topic of another partition count. */
public final class TopicAdmin {

    private static final long TIMEOUT_S = 60;
    private static final long DESCRIBE_RETRY_MS = 50;

    private TopicAdmin() {}

    /**
     * @param replicas 3 in production, 1 on a single broker
     * @return the names that it created
     * @throws IllegalStateException if a topic exists with another number of partitions: keys would change their
     *     partition, and with it their order
     */
    public static List<String> ensureTopics(Admin admin, short replicas) throws InterruptedException {
        try {
            Set<String> existing = admin.listTopics().names().get(TIMEOUT_S, TimeUnit.SECONDS);
            List<String> created = new ArrayList<>();
            for (Topics.Spec spec : Topics.all()) {
                if (!existing.contains(spec.name()) && create(admin, spec, replicas)) {
                    created.add(spec.name());
                }
            }
            checkPartitions(admin);
            return created;
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("Kafka did not answer the topic admin step; it can be run again", e);
        }
    }

    private static boolean create(Admin admin, Topics.Spec spec, short replicas)
            throws InterruptedException, ExecutionException, TimeoutException {
        NewTopic topic = new NewTopic(spec.name(), spec.partitions(), replicas).configs(spec.settings());
        try {
            admin.createTopics(List.of(topic)).all().get(TIMEOUT_S, TimeUnit.SECONDS);
            return true;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TopicExistsException) {
                return false;
            }
            throw e;
        }
    }

    private static void checkPartitions(Admin admin) throws InterruptedException, ExecutionException, TimeoutException {
        List<String> names = Topics.all().stream().map(Topics.Spec::name).toList();
        Map<String, TopicDescription> described = describe(admin, names);
        for (Topics.Spec spec : Topics.all()) {
            TopicDescription description = described.get(spec.name());
            if (description != null && description.partitions().size() != spec.partitions()) {
                throw new IllegalStateException("topic " + spec.name() + " has "
                        + description.partitions().size() + " partitions instead of " + spec.partitions()
                        + ": keys would change their partition. Create it anew under a new name, or restore it");
            }
        }
    }

    /** A topic that was created a moment ago, by us or by another, may not be known to the broker that is asked. */
    private static Map<String, TopicDescription> describe(Admin admin, List<String> names)
            throws InterruptedException, ExecutionException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        while (true) {
            try {
                return admin.describeTopics(names).allTopicNames().get(TIMEOUT_S, TimeUnit.SECONDS);
            } catch (ExecutionException e) {
                boolean known = !(e.getCause() instanceof UnknownTopicOrPartitionException);
                if (known || System.nanoTime() > deadline) {
                    throw e;
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(DESCRIBE_RETRY_MS));
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }
}
