package dev.postonce.index.event;

import dev.postonce.contract.Topics;
import java.util.Locale;
import java.util.Optional;

/** What the index holds. A wire name is also the kind in {@code "index".entry}. */
public enum IndexKind {
    TASK(Topics.TASK),
    GROUP(Topics.GROUP);

    private final String topic;

    IndexKind(String topic) {
        this.topic = topic;
    }

    public String topic() {
        return topic;
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<IndexKind> of(String wireName) {
        for (IndexKind kind : values()) {
            if (kind.wireName().equals(wireName)) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }
}
