package dev.postonce.contract;

import java.util.Optional;

/** The closed list of {@code ce_type}s. Each carries an aggregate's whole state, so a superseded one may be skipped. */
public enum EventType {
    TASK_STATE("dev.postonce.task.state.v1", Topics.TASK, "task-state.v1.schema.json"),
    GROUP_STATE("dev.postonce.group.state.v1", Topics.GROUP, "group-state.v1.schema.json"),
    DISPATCH_STATE("dev.postonce.dispatch.state.v1", Topics.DISPATCH, "dispatch-state.v1.schema.json"),
    KEY_STATE("dev.postonce.key.state.v1", Topics.KEY, "key-state.v1.schema.json");

    private final String ceType;
    private final String topic;
    private final String schema;

    EventType(String ceType, String topic, String schema) {
        this.ceType = ceType;
        this.topic = topic;
        this.schema = schema;
    }

    public String ceType() {
        return ceType;
    }

    public String topic() {
        return topic;
    }

    /** Class path name of the JSON Schema (2020-12) of the event's data. */
    public String schemaResource() {
        return "dev/postonce/contract/schemas/" + schema;
    }

    /** Empty for a type that this version does not know; a consumer parks such an event. */
    public static Optional<EventType> of(String ceType) {
        for (EventType type : values()) {
            if (type.ceType.equals(ceType)) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }
}
