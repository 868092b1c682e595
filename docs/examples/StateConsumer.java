import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Collectors;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Bootstraps from a compacted topic and follows it: keeps, for each key, the newest version only.
 * Usage: StateConsumer BOOTSTRAP TOPIC [--once]
 */
public class StateConsumer {
    private final Map<String, Long> versions = new HashMap<>();   // yours: a table, written with the offset in one commit
    private int applied, skipped;

    public static void main(String[] args) {
        Properties settings = new Properties();
        settings.put("bootstrap.servers", args[0]);
        settings.put("auto.offset.reset", "none");                // a missing offset is an incident, never "latest"
        settings.put("isolation.level", "read_committed");
        try (var consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
            List<TopicPartition> partitions = consumer.partitionsFor(args[1]).stream()
                    .map(partition -> new TopicPartition(partition.topic(), partition.partition()))
                    .collect(Collectors.toList());
            consumer.assign(partitions);
            consumer.seekToBeginning(partitions);                 // a new consumer: the last state of every key is there
            Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
            StateConsumer state = new StateConsumer();
            boolean once = args.length > 2;
            while (!once || partitions.stream().anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
                consumer.poll(Duration.ofMillis(500)).forEach(state::accept);
            }
            System.out.printf("keys %d, applied %d, skipped %d%n", state.versions.size(), state.applied, state.skipped);
        }
    }

    private void accept(ConsumerRecord<String, String> event) {
        long version = Long.parseLong(header(event, "ce_aggregateversion"));
        // Duplicates and late, older events are normal: the newest version already holds the whole state.
        if (version <= versions.getOrDefault(event.key(), 0L)) {
            skipped++;
            return;
        }
        versions.put(event.key(), version);
        applied++;
        System.out.println(header(event, "ce_type") + " " + event.key() + " v" + version + " " + event.value().length() + " characters");
    }

    private static String header(ConsumerRecord<?, ?> event, String name) {
        return new String(event.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
    }
}
