package dev.postonce.relay.outbox;

import dev.postonce.contract.EventType;
import dev.postonce.contract.Topics;
import java.util.Arrays;
import java.util.List;

/**
 * One outbox table and how it is read.
 *
 * @param name what operators call it; also the key of its rows in the relay's tables
 * @param schema holds {@code outbox_event}
 * @param topics the only ones that its rows may name; a row that names another is parked
 */
public record OutboxSource(String name, String schema, String slot, String publication, List<String> topics) {

    public OutboxSource {
        checked("source", name);
        checked("schema", schema);
        checked("slot", slot);
        checked("publication", publication);
        topics = List.copyOf(topics);
    }

    /** The names that the services' migrations use. */
    public static OutboxSource standard(String name) {
        String outbox = "postonce_" + name + "_outbox";
        return new OutboxSource(name, name, outbox, outbox, standardTopics(name));
    }

    /** Schema and table as they stand in a statement; the parts were checked to be plain identifiers. */
    public String table() {
        return "\"" + schema + "\".outbox_event";
    }

    private static List<String> standardTopics(String name) {
        return switch (name) {
            case "ingest" -> List.of(Topics.TASK, Topics.GROUP, Topics.KEY);
            case "dispatch" -> List.of(Topics.DISPATCH);
            default -> Arrays.stream(EventType.values()).map(EventType::topic).toList();
        };
    }

    private static void checked(String what, String value) {
        if (!value.matches("[a-z][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException(
                    what + " is 1-63 of a-z, 0-9 and _, beginning with a letter, not: " + value);
        }
    }
}
