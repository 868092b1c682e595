package dev.postonce.index.event;

import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.GroupState;
import dev.postonce.contract.KeyState;
import dev.postonce.contract.TaskState;

/** A decoded event that the index has a use for; its data agrees with its envelope. */
public sealed interface IndexEvent {

    EventEnvelope envelope();

    /** As it stands in the data. */
    String contentDigest();

    boolean deleted();

    /** An event that becomes an entry of the index. */
    sealed interface OfEntry extends IndexEvent {
        IndexKind kind();
    }

    record OfTask(EventEnvelope envelope, TaskState state) implements OfEntry {
        @Override
        public IndexKind kind() {
            return IndexKind.TASK;
        }

        @Override
        public String contentDigest() {
            return state.contentDigest();
        }

        @Override
        public boolean deleted() {
            return state.deleted();
        }
    }

    record OfGroup(EventEnvelope envelope, GroupState state) implements OfEntry {
        @Override
        public IndexKind kind() {
            return IndexKind.GROUP;
        }

        @Override
        public String contentDigest() {
            return state.contentDigest();
        }

        @Override
        public boolean deleted() {
            return state.deleted();
        }
    }

    /** An API key: not an entry, but who may search. */
    record OfKey(EventEnvelope envelope, KeyState state) implements IndexEvent {
        @Override
        public String contentDigest() {
            return state.contentDigest();
        }

        @Override
        public boolean deleted() {
            return state.deleted();
        }
    }
}
