package dev.postonce.standalone;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Where a stack keeps everything: {@code POSTONCE_HOME}, by default {@code ./data}. */
public record StandaloneHome(Path root) {

    public StandaloneHome {
        root = root.toAbsolutePath().normalize();
    }

    public static StandaloneHome fromEnvironment(Map<String, String> environment) {
        return new StandaloneHome(Path.of(environment.getOrDefault("POSTONCE_HOME", "data")));
    }

    public Path lockFile() {
        return root.resolve(".lock");
    }

    public Path logs() {
        return root.resolve("logs");
    }

    public Path log(Part part) {
        return logs().resolve(part.label() + ".log");
    }

    /** Pid files, ports and the supervisor's record; worthless once nothing runs. */
    public Path run() {
        return root.resolve("run");
    }

    public Path portsFile() {
        return run().resolve("ports.json");
    }

    public Path secrets() {
        return root.resolve("secrets");
    }

    public Path devKeysFile() {
        return root.resolve("dev-keys.json");
    }

    public Path postgresData() {
        return root.resolve("pg-data-17");
    }

    public Path kafkaData() {
        return root.resolve("kafka-data");
    }

    /** What a service keeps outside the database, such as the index's files. */
    public Path serviceData(Instance instance) {
        return root.resolve(instance.name() + "-data");
    }

    /** True once an {@code up} has made the keys. */
    public boolean isSetUp() {
        return Files.exists(devKeysFile());
    }

    /** The ports of the stack that runs, or ran last; empty home: those of the environment. */
    public StackPorts ports() {
        if (!Files.exists(portsFile())) {
            return StackPorts.fromEnvironment(System.getenv());
        }
        JsonNode json = read(portsFile());
        Map<Part, Integer> ports = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            ports.put(part, json.path(part.label()).asInt(0));
        }
        return new StackPorts(ports, json.path("kafka_controller").asInt(0));
    }

    public void recordPorts(StackPorts ports) {
        ObjectNode json = EventJson.mapper().createObjectNode();
        for (Part part : Part.values()) {
            json.put(part.label(), ports.of(part));
        }
        json.put("kafka_controller", ports.kafkaController());
        PrivateFiles.write(portsFile(), json.toPrettyString() + "\n");
    }

    /** @throws IllegalStateException if there are none yet */
    public DevKeys devKeys() {
        if (!isSetUp()) {
            throw new IllegalStateException("no keys in " + devKeysFile() + ": start the stack once with postonce up");
        }
        JsonNode json = read(devKeysFile());
        return new DevKeys(
                json.path("tenant").asString(),
                Secret.of(json.path("api_key").asString()),
                Secret.of(json.path("callback_secret").asString()),
                json.path("api_url").asString(),
                json.path("search_url").asString(),
                json.path("sandbox_url").asString(),
                json.path("callback_sink_url").asString());
    }

    /** The password of every database role of this stack: {@code postonce_verify} reads, {@code postgres} may all. */
    public Secret databasePassword() {
        try {
            return Secret.of(
                    Files.readString(secrets().resolve("database-password")).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("no database password in " + secrets() + ": was postonce up run here?", e);
        }
    }

    private static JsonNode read(Path file) {
        try {
            return EventJson.mapper().readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }
}
