package dev.postonce.benchmarks;

import dev.postonce.contract.EventJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** Finds in PostgreSQL's own log which statements a submission became, and with which parameters. */
final class Capture {

    private static final Pattern EXECUTE = Pattern.compile("execute [^:]*: (.*)", Pattern.DOTALL);
    private static final Pattern PARAMETER = Pattern.compile("\\$(\\d+) = (NULL|'((?:[^']++|'')*+)')(?:, |$)");

    /**
     * @param sql with {@code $1}, {@code $2}, …
     * @param parameters by number; null for SQL's null
     */
    record Statement(String sql, Map<Integer, @Nullable String> parameters) {

        boolean is(String word) {
            return sql.strip().toLowerCase(Locale.ROOT).startsWith(word);
        }
    }

    private Capture() {}

    /**
     * The transaction that wrote the task.
     *
     * @param log one JSON object a line
     */
    static List<Statement> ofSubmission(Path log, String externalId) throws IOException {
        Map<String, List<Statement>> sessions = new LinkedHashMap<>();
        for (String line : Files.readAllLines(log, StandardCharsets.UTF_8)) {
            JsonNode entry = read(line);
            Matcher execute = EXECUTE.matcher(entry.path("message").asString(""));
            if (execute.matches()) {
                sessions.computeIfAbsent(entry.path("session_id").asString(""), id -> new ArrayList<>())
                        .add(new Statement(
                                execute.group(1),
                                parameters(entry.path("detail").asString(""))));
            }
        }
        for (List<Statement> statements : sessions.values()) {
            for (int i = 0; i < statements.size(); i++) {
                if (statements.get(i).parameters().containsValue(externalId)) {
                    return transactionAround(statements, i);
                }
            }
        }
        throw new IllegalStateException("the submission of " + externalId + " is not in " + log);
    }

    private static List<Statement> transactionAround(List<Statement> statements, int at) {
        int first = at;
        while (first > 0
                && !statements.get(first).is("begin")
                && !statements.get(first - 1).is("commit")) {
            first--;
        }
        if (!statements.get(first).is("begin")) {
            // It commits by itself.
            return List.of(statements.get(at));
        }
        int last = at;
        while (!statements.get(last).is("commit")) {
            last++;
        }
        return List.copyOf(statements.subList(first, last + 1));
    }

    private static JsonNode read(String line) {
        try {
            return EventJson.mapper().readTree(line);
        } catch (JacksonException e) {
            // The last line may be half written.
            return EventJson.mapper().createObjectNode();
        }
    }

    private static Map<Integer, @Nullable String> parameters(String detail) {
        Map<Integer, @Nullable String> parameters = new LinkedHashMap<>();
        Matcher parameter = PARAMETER.matcher(detail);
        while (parameter.find()) {
            @Nullable String text = parameter.group(3);
            parameters.put(Integer.parseInt(parameter.group(1)), text == null ? null : text.replace("''", "'"));
        }
        return parameters;
    }
}
