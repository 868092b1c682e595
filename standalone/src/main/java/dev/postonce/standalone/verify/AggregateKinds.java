package dev.postonce.standalone.verify;

import dev.postonce.contract.EventType;
import dev.postonce.contract.Topics;
import dev.postonce.invariants.facts.AggregateKey;
import java.util.List;

/** Which kind of aggregate each state topic is about. */
final class AggregateKinds {

    static final List<String> TOPICS = List.of(Topics.TASK, Topics.GROUP, Topics.DISPATCH, Topics.KEY);

    private AggregateKinds() {}

    /** @throws CouldNotReadException for a topic that this version does not know */
    static AggregateKey.Kind ofTopic(String topic) {
        for (EventType type : EventType.values()) {
            if (type.topic().equals(topic)) {
                return switch (type) {
                    case TASK_STATE -> AggregateKey.Kind.TASK;
                    case GROUP_STATE -> AggregateKey.Kind.GROUP;
                    case DISPATCH_STATE -> AggregateKey.Kind.TARGET;
                    case KEY_STATE -> AggregateKey.Kind.API_KEY;
                };
            }
        }
        throw new CouldNotReadException("a topic that this version does not know: " + topic + "; is postonce older?");
    }
}
