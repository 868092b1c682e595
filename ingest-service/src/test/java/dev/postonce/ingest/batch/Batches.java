package dev.postonce.ingest.batch;

import dev.postonce.ingest.Intake;
import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.TestIngest;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The hands to send a batch, and to read its answers. */
public final class Batches {

    private Batches() {}

    /** @param answers one for each line */
    public record Answered(List<JsonNode> answers, JsonNode summary) {

        public JsonNode line(int number) {
            return answers.stream()
                    .filter(answer -> answer.path("line").asInt() == number)
                    .findFirst()
                    .orElseThrow();
        }

        public List<Integer> statuses() {
            return answers.stream()
                    .map(answer -> answer.path("status_code").asInt())
                    .toList();
        }
    }

    public static Answered send(String key, List<?> lines, String... headers) {
        StringBuilder body = new StringBuilder();
        lines.forEach(line -> body.append(line).append('\n'));
        return parse(raw(key, BodyPublishers.ofString(body.toString()), headers));
    }

    public static Answer raw(String key, HttpRequest.BodyPublisher body, String... headers) {
        return raw(Intake.service(), key, body, headers);
    }

    public static Answer raw(TestIngest instance, String key, HttpRequest.BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(instance.url() + "/v1/tasks:batch"))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/x-ndjson")
                .POST(body);
        for (int i = 0; i < headers.length; i += 2) {
            request.setHeader(headers[i], headers[i + 1]);
        }
        return Intake.send(request.build());
    }

    public static Answered parse(Answer answer) {
        if (answer.status() != 200) {
            throw new AssertionError(answer.status() + " " + answer.text());
        }
        List<JsonNode> answers = new ArrayList<>();
        for (String line : answer.text().split("\n")) {
            answers.add(Intake.JSON.readTree(line));
        }
        JsonNode summary = answers.remove(answers.size() - 1).path("summary");
        return new Answered(answers, summary);
    }
}
