package dev.postonce.ingest.group;

import dev.postonce.contract.GroupState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A stored group entry. */
public record KnownGroup(GroupState state, Instant acceptedAt, Instant updatedAt) {

    /** Fields in which a submission differs from what is stored. */
    List<String> differencesTo(GroupSubmission submission) {
        List<String> fields = new ArrayList<>();
        note(fields, "name", submission.name(), state.name());
        note(fields, "description", submission.description(), state.description());
        note(fields, "tags", submission.tags(), state.tags());
        note(fields, "category", submission.category(), state.category());
        note(fields, "language", submission.language(), state.language());
        return List.copyOf(fields);
    }

    private static void note(List<String> fields, String name, @Nullable Object submitted, @Nullable Object stored) {
        if (!Objects.equals(submitted, stored)) {
            fields.add(name);
        }
    }

    GroupRef ref() {
        return new GroupRef(state.operation(), state.normalizedGroupId());
    }
}
