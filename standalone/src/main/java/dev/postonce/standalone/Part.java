package dev.postonce.standalone;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** One process of the stack. The label is what a user types, and names its log and pid file. */
public enum Part {
    POSTGRES("postgres", "", 5442, 20),
    KAFKA("kafka", "", 9092, 12),
    INGEST("ingest", "ingest-service", 8080, 0),
    RELAY("relay", "outbox-relay", 8081, 1),
    INDEX("index", "index-consumer", 8082, 2),
    DISPATCHER("dispatcher", "platform-dispatcher", 8083, 3),
    SANDBOX("sandbox", "testing/sandbox-platforms", 8090, 10);

    private final String label;
    private final String module;
    private final int defaultPort;
    private final int offset;

    Part(String label, String module, int defaultPort, int offset) {
        this.label = label;
        this.module = module;
        this.defaultPort = defaultPort;
        this.offset = offset;
    }

    public String label() {
        return label;
    }

    /** The module that its runnable jar comes from; empty for what is embedded here. */
    public String module() {
        return module;
    }

    public int defaultPort() {
        return defaultPort;
    }

    /** Its distance from {@code --port-base}. */
    int offset() {
        return offset;
    }

    public boolean isService() {
        return !module.isEmpty();
    }

    public static List<Part> services() {
        return Arrays.stream(values()).filter(Part::isService).toList();
    }

    public static Optional<Part> labelled(String label) {
        return Arrays.stream(values()).filter(part -> part.label.equals(label)).findFirst();
    }
}
