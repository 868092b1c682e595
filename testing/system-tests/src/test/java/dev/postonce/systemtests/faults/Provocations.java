package dev.postonce.systemtests.faults;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.RecordKey;
import dev.postonce.contract.Topics;
import dev.postonce.messaging.KafkaEventCodec;
import dev.postonce.standalone.Part;
import dev.postonce.systemtests.harness.Cluster;
import dev.postonce.systemtests.harness.Link;
import dev.postonce.systemtests.harness.LinkFault;
import dev.postonce.systemtests.harness.Patience;
import dev.postonce.systemtests.harness.Planted;
import dev.postonce.systemtests.harness.ServiceNode;
import dev.postonce.systemtests.harness.TcpProxy;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** What brings a service to a point that it does not pass on an ordinary day. */
final class Provocations {

    /** Points that a service passes when it starts, and some of them only in a start of a special kind. */
    private static final List<String> AT_START = List.of(
            "relay.after-lease-before-claim",
            "relay.after-slot-drop-before-slot",
            "relay.after-slot-before-record",
            "relay.after-slot-before-first-row",
            "index.replica-after-seed-page");

    /** Points that a running service passes only when something is done for it. */
    static final List<String> WHILE_RUNNING = List.of(
            "relay.producer-recreated-after-timeout",
            "index.in-revoked-callback",
            "index.in-lost-callback",
            "index.after-deadletter-ack-before-offset-commit");

    /** Points that are passed only when something is done for it. */
    static final List<String> NEEDED =
            Stream.concat(AT_START.stream(), WHILE_RUNNING.stream()).toList();

    /** Longer than the relay's delivery time-out. */
    private static final Duration PAST_DELIVERY = Duration.ofSeconds(7);
    /** Longer than the index-consumer's session time-out. */
    private static final Duration PAST_SESSION = Duration.ofSeconds(8);
    /** Also while a member that died counts as one. */
    private static final Duration NOTICED_WITHIN = Duration.ofSeconds(25);

    private static final int TRIES_MAX = 5;
    private static final String INDEX_GROUP = "postonce-index";
    private static final Duration POLL = Duration.ofMillis(200);

    /** The relay obeys each label once, whichever test asked for it. */
    private static final AtomicInteger SERIAL = new AtomicInteger();

    private final Cluster cluster;
    private final Map<String, String> rebaselines = new TreeMap<>();

    Provocations(Cluster cluster) {
        this.cluster = cluster;
    }

    /** Brings the service to the point, on which {@code action} waits. For most points clients do that by themselves. */
    void provoke(String point, String action) {
        ServiceNode node = cluster.service(CrashPoints.serviceOf(point));
        String armed = point + "=" + action;
        if (isAtStart(point)) {
            prepareStart(node, point);
            restartArmed(node, armed);
        } else {
            node.failPoints().arm(armed);
            provokeRunning(node, point);
        }
    }

    /** When the service dies, of whatever, its next start comes to the point. */
    void provokeByNextStart(String point, String action) {
        ServiceNode node = cluster.service(CrashPoints.serviceOf(point));
        prepareStart(node, point);
        node.armWhenItDies(point + "=" + action);
    }

    static boolean isAtStart(String point) {
        return AT_START.contains(point);
    }

    private void prepareStart(ServiceNode node, String point) {
        switch (point) {
            case "relay.after-slot-drop-before-slot", "relay.after-slot-before-record" -> rebaseline(node, "ingest");
            case "relay.after-slot-before-first-row" -> rebaseline(node, "dispatch");
            case "index.replica-after-seed-page" -> freshReplica(node);
            default -> {
                // Every start comes to it.
            }
        }
    }

    /** Arms all points of a service at once, by one start that passes whatever only a start does. Nothing may die there. */
    void arm(Part part, String actions) {
        ServiceNode node = cluster.service(part);
        switch (part) {
            case RELAY -> {
                rebaseline(node, "ingest", "dispatch");
                restartArmed(node, actions);
            }
            case INDEX -> {
                freshReplica(node);
                restartArmed(node, actions);
            }
            default -> node.failPoints().arm(actions);
        }
    }

    /** Brings a service to the point, which is armed. */
    void provokeRunning(ServiceNode node, String point) {
        switch (point) {
            case "relay.producer-recreated-after-timeout" -> {
                TcpProxy kafka = cluster.link(new Link(node.name(), Link.Peer.KAFKA));
                // Who breaks links beside this mends them too, and so may end it early.
                untilActed(node, point, () -> {
                    kafka.fault(LinkFault.of(LinkFault.Mode.PARTITION));
                    Experiment.pause(PAST_DELIVERY);
                    kafka.heal();
                });
            }
            case "index.in-revoked-callback" -> untilActed(node, point, this::memberComesAndGoes);
            case "index.in-lost-callback" ->
                // Who stands still while the group divides its partitions anew owns none, and loses none.
                untilActed(node, point, () -> {
                    node.process().freeze();
                    Experiment.pause(PAST_SESSION);
                    node.process().thaw();
                });
            case "index.after-deadletter-ack-before-offset-commit" ->
                // While the group divides its partitions anew, another one may read all of them.
                untilActed(node, point, () -> poisonEachPartition(Topics.TASK, "not JSON"));
            default -> {
                // Clients do it.
            }
        }
    }

    /** What an earlier start left half done stays asked for: the relay would refuse to go on without it. */
    private void rebaseline(ServiceNode relay, String... sources) {
        for (String source : sources) {
            rebaselines.put(source, source + "@again-" + SERIAL.incrementAndGet());
        }
        relay.environment("POSTONCE_RELAY_REBASELINE", String.join(",", rebaselines.values()));
    }

    private void freshReplica(ServiceNode index) {
        index.environment(
                "POSTONCE_INDEX_DIR",
                cluster.home()
                        .root()
                        .resolve("index-fresh-" + SERIAL.incrementAndGet())
                        .toString());
    }

    private static void untilActed(ServiceNode node, String point, Runnable provocation) {
        long before = acted(node, point);
        for (int i = 0; i < TRIES_MAX && acted(node, point) == before; i++) {
            provocation.run();
            Patience.until(NOTICED_WITHIN, () -> acted(node, point) > before);
        }
    }

    private static long acted(ServiceNode node, String point) {
        return node.failPoints().acted().entrySet().stream()
                .filter(entry -> entry.getKey().startsWith(point + " "))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Whoever comes makes the group divide its partitions anew; it commits nothing, and so nothing is left out. */
    private void memberComesAndGoes() {
        Map<String, Object> properties = Map.of(
                ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG,
                cluster.brokers().bootstrap(),
                ConsumerConfig.GROUP_ID_CONFIG,
                INDEX_GROUP,
                ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
                false,
                ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
                "latest");
        try (KafkaConsumer<byte[], byte[]> member =
                new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
            member.subscribe(List.of(Topics.TASK, Topics.GROUP, Topics.KEY));
            Patience.until(NOTICED_WITHIN, () -> {
                member.poll(POLL);
                return !member.assignment().isEmpty();
            });
        }
    }

    /** Bare records under keys of no tenant, which nobody can read; null has no value. */
    void poison(String topic, List<String> values) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            values.forEach(value -> poison(producer, topic, null, value));
        }
    }

    /** Records that look like events from outside, and whose data nobody can read. */
    void poisonInside(String topic, String type, List<String> values) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            for (String value : values) {
                RecordKey key = new RecordKey("poison", "p" + SERIAL.incrementAndGet());
                plant(
                        producer,
                        KafkaEventCodec.encode(
                                topic,
                                new EventEnvelope(
                                        UUID.randomUUID(),
                                        type,
                                        "/postonce/ingest",
                                        key.aggregateId(),
                                        Clock.systemUTC().instant(),
                                        key,
                                        1,
                                        null,
                                        value)));
            }
        }
    }

    /** Whichever instance reads which partition, each meets one. */
    private void poisonEachPartition(String topic, String value) {
        try (KafkaProducer<byte[], byte[]> producer = producer()) {
            producer.partitionsFor(topic).forEach(info -> poison(producer, topic, info.partition(), value));
        }
    }

    private KafkaProducer<byte[], byte[]> producer() {
        Properties properties = new Properties();
        properties.put(
                ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, cluster.brokers().bootstrap());
        properties.put(ProducerConfig.ACKS_CONFIG, "all");
        properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(Topics.MESSAGE_BYTES_MAX));
        return new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private void poison(KafkaProducer<byte[], byte[]> producer, String topic, Integer partition, String value) {
        byte[] key = ("poison:p" + SERIAL.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
        byte[] bytes = value == null ? null : value.getBytes(StandardCharsets.UTF_8);
        plant(producer, new ProducerRecord<>(topic, partition, key, bytes));
    }

    private void plant(KafkaProducer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> poisoned) {
        try {
            RecordMetadata at = producer.send(poisoned).get(30, TimeUnit.SECONDS);
            String key = new String(poisoned.key(), StandardCharsets.UTF_8);
            cluster.planted().add(new Planted(at.topic(), at.partition(), at.offset(), key));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void restartArmed(ServiceNode node, String armed) {
        node.stop();
        node.startArmed(armed);
    }

    /** Variables of the first start again. */
    void forget() {
        rebaselines.clear();
        cluster.service(Part.RELAY).environment("POSTONCE_RELAY_REBASELINE", null);
    }
}
