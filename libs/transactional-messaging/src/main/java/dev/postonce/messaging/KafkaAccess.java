package dev.postonce.messaging;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Where Kafka is, and by what its clients prove who they are: the settings that all clients of a process have in common.
 * What proves it stands in a file, in the form that Kafka's own tools take by {@code --command-config}.
 */
public final class KafkaAccess {

    /**
     * A Kafka that does not know a consumer, or does not let it, may do so again once an operator has mended that. Without
     * this a container of spring-kafka would end for good.
     */
    public static final Duration ASKED_AGAIN_AFTER = Duration.ofSeconds(2);

    private static final String PROTOCOL = "security.protocol";
    private static final List<String> OTHERS = List.of("sasl.", "ssl.");

    private final String bootstrap;
    private final Map<String, String> security;

    private KafkaAccess(String bootstrap, Map<String, String> security) {
        this.bootstrap = bootstrap;
        this.security = security;
    }

    /** A Kafka that asks nobody who they are. */
    public static KafkaAccess plain(String bootstrap) {
        return new KafkaAccess(bootstrap, Map.of());
    }

    /**
     * @param bootstrap {@code host:port,host:port}
     * @param file properties {@code security.protocol}, {@code sasl.…} and {@code ssl.…}; empty for a Kafka that asks nobody
     * @throws IllegalArgumentException if the file cannot be read, or has other properties: how a service reads and writes is
     *     its own matter
     */
    public static KafkaAccess of(String bootstrap, String file) {
        if (file.isBlank()) {
            return plain(bootstrap);
        }
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(Path.of(file))) {
            properties.load(reader);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "POSTONCE_KAFKA_CLIENT_CONFIG names " + file + ", which cannot be read: " + e, e);
        }
        Map<String, String> security = new TreeMap<>();
        List<String> foreign = new ArrayList<>();
        for (String name : properties.stringPropertyNames()) {
            if (name.equals(PROTOCOL) || OTHERS.stream().anyMatch(name::startsWith)) {
                security.put(name, properties.getProperty(name));
            } else {
                foreign.add(name);
            }
        }
        if (!foreign.isEmpty()) {
            throw new IllegalArgumentException("the file of POSTONCE_KAFKA_CLIENT_CONFIG may set " + PROTOCOL
                    + ", sasl.… and ssl.… only; take out of " + file + ": " + foreign);
        }
        if (!security.containsKey(PROTOCOL)) {
            throw new IllegalArgumentException("the file of POSTONCE_KAFKA_CLIENT_CONFIG does not set " + PROTOCOL
                    + ", so that the rest of " + file + " would count for nothing");
        }
        return new KafkaAccess(bootstrap, Map.copyOf(security));
    }

    /** For each producer, consumer and admin client. */
    public Map<String, Object> settings() {
        Map<String, Object> settings = new TreeMap<>(security);
        settings.put("bootstrap.servers", bootstrap);
        return settings;
    }

    /** Without what is secret. */
    @Override
    public String toString() {
        return "Kafka at " + bootstrap + (security.isEmpty() ? "" : ", " + security.get(PROTOCOL));
    }
}
