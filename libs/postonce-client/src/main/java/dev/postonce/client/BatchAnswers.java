package dev.postonce.client;

import dev.postonce.client.SubmitResult.Created;
import dev.postonce.client.SubmitResult.Refused;
import dev.postonce.client.SubmitResult.Replayed;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Reads the answer of a batch, as far as it came. */
final class BatchAnswers {

    private static final int HTTP_ERROR = 400;
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private BatchAnswers() {}

    /** The task with its key beside it; null where the body is no JSON object, which the service shall say. */
    static @Nullable String line(BatchLine line) {
        try {
            if (MAPPER.readTree(line.body()) instanceof ObjectNode object) {
                if (line.idempotencyKey() != null) {
                    object.put("idempotency_key", line.idempotencyKey());
                }
                return object.toString();
            }
        } catch (JacksonException e) {
            return null;
        }
        return null;
    }

    /** By line number, from 1; what is missing, or may be tried again, is not in it. */
    static Map<Integer, SubmitResult> settled(String text) {
        Map<Integer, SubmitResult> results = new HashMap<>();
        for (String line : text.split("\n")) {
            JsonNode answer;
            try {
                answer = MAPPER.readTree(line);
            } catch (JacksonException e) {
                // The answer was cut off in the middle of this line.
                continue;
            }
            int number = answer.path("line").asInt(0);
            int status = answer.path("status_code").asInt(0);
            if (number > 0 && status > 0) {
                put(results, number, status, answer);
            }
        }
        return results;
    }

    private static void put(Map<Integer, SubmitResult> results, int number, int status, JsonNode answer) {
        if (status >= HTTP_ERROR) {
            Problem problem = Problem.of(status, answer.toString());
            if (!Boolean.TRUE.equals(problem.retryable())) {
                results.put(number, new Refused(problem, 1));
            }
        } else if (answer.path("idempotent_replay").asBoolean(false)) {
            results.put(number, new Replayed(answer, 1));
        } else {
            results.put(number, new Created(answer, 1));
        }
    }
}
