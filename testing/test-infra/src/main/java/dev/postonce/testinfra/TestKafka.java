package dev.postonce.testinfra;

import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.utility.DockerImageName;

/** One Kafka broker in KRaft mode. */
final class TestKafka {

    private static final String IMAGE = System.getProperty("postonce.test.kafka.image", "apache/kafka:4.1.1");

    private TestKafka() {}

    static String embedded() {
        EmbeddedKafkaKraftBroker broker = new EmbeddedKafkaKraftBroker(1, 1);
        broker.brokerProperty("auto.create.topics.enable", "false");
        broker.brokerProperty("group.initial.rebalance.delay.ms", "0");
        broker.brokerProperty("log.cleaner.dedupe.buffer.size", "4194304");
        broker.afterPropertiesSet();
        return broker.getBrokersAsString();
    }

    @SuppressWarnings("resource") // ends with the JVM
    static String docker() {
        KafkaContainer container = new KafkaContainer(
                        DockerImageName.parse(IMAGE).asCompatibleSubstituteFor("apache/kafka"))
                .withEnv("KAFKA_AUTO_CREATE_TOPICS_ENABLE", "false");
        container.start();
        return container.getBootstrapServers();
    }
}
