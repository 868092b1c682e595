package dev.postonce.client;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** How a submission ended. */
public sealed interface SubmitResult {

    /** How often it was sent, at least once. */
    int tries();

    /** It was new, or it changed something. @param resource the answer's body */
    record Created(JsonNode resource, int tries) implements SubmitResult {}

    /** It was there already, perhaps by an earlier try whose answer was lost. @param resource in its present state */
    record Replayed(JsonNode resource, int tries) implements SubmitResult {}

    /** It was refused for good; the same submission would be refused again. A person decides. */
    record Refused(Problem problem, int tries) implements SubmitResult {}

    /**
     * It is not known to be accepted, and trying again now is no use. Submit it again later, under the same
     * Idempotency-Key.
     */
    record GaveUp(Last last, int tries) implements SubmitResult {}

    /**
     * What the last try met.
     *
     * @param problem the answer; null if there was none
     * @param failure why there was no answer; null if there was one
     */
    record Last(@Nullable Problem problem, @Nullable String failure) {

        public String describe() {
            if (problem != null) {
                return problem.describe();
            }
            return failure == null ? "no answer" : failure;
        }
    }
}
