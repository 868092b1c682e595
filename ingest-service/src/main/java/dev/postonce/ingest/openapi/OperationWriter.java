package dev.postonce.ingest.openapi;

import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.IdempotencyKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes one operation. */
final class OperationWriter {

    private static final Set<String> BODIES_OPTIONAL = Set.of("Restoration", "Nothing");
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final String SCHEMAS = "#/components/schemas/";
    private static final String JSON = "application/json";

    private final ObjectNode components;
    private final Duration keyRetention;

    OperationWriter(ObjectNode components, Duration keyRetention) {
        this.components = components;
        this.keyRetention = keyRetention;
    }

    /** @param told missing where the operations' file does not know the route */
    ObjectNode operation(Route route, JsonNode told) {
        ObjectNode operation = MAPPER.createObjectNode();
        operation.putArray("tags").add(told.path("tag").asString("other"));
        operation.put("operationId", told.path("id").asString(idOf(route)));
        operation.put("summary", told.path("summary").asString(route.name()));
        String scope = told.path("scope").asString("");
        String text = told.path("text").asString("");
        String needs =
                scope.isEmpty() ? "" : scope.equals("public") ? "Needs no key." : "Needs the scope " + scope + ".";
        operation.put("description", (needs + " " + text).strip());
        if (scope.equals("public")) {
            operation.putArray("security");
        }
        ArrayNode parameters = parameters(route, told);
        if (!parameters.isEmpty()) {
            operation.set("parameters", parameters);
        }
        if (told.has("request")) {
            ObjectNode body = operation
                    .putObject("requestBody")
                    .put(
                            "required",
                            !BODIES_OPTIONAL.contains(told.path("request").asString()));
            content(
                    body,
                    told.path("media").asString(JSON),
                    told.path("request").asString());
        }
        operation.set("responses", responses(route, told, scope));
        return operation;
    }

    private static String idOf(Route route) {
        return route.method() + route.path().replaceAll("[^A-Za-z0-9]+", "_");
    }

    private ArrayNode parameters(Route route, JsonNode told) {
        ArrayNode parameters = MAPPER.createArrayNode();
        for (String name : Route.variablesOf(route.path())) {
            parameter(parameters, name, "path", "Names the resource. 资源标识").put("required", true);
        }
        for (JsonNode query : told.path("query")) {
            JsonNode known = components.path("queries").path(query.asString());
            ObjectNode parameter =
                    parameters.addObject().put("name", query.asString()).put("in", "query");
            parameter.put("description", known.path("description").asString());
            parameter.set("schema", known.path("schema"));
        }
        if (told.path("key").asBoolean(false)) {
            parameter(
                    parameters,
                    IdempotencyKey.HEADER,
                    "header",
                    "A quoted string (RFC 8941) or bare, 1 to " + IdempotencyKey.CHARACTERS_MAX
                            + " printable ASCII characters. Stands for its request, in this tenant, client and route, for "
                            + keyRetention.toHours()
                            + " hours; the answer of GET /v1/requests/{key} tells the hour. Keep it over all"
                            + " tries. 幂等键，保留 " + keyRetention.toHours() + " 小时，重试时保持不变");
        }
        told.path("headers")
                .properties()
                .forEach(header -> parameter(
                        parameters, header.getKey(), "header", header.getValue().asString()));
        String ifMatch = told.path("if_match").asString("");
        if (!ifMatch.isEmpty()) {
            parameter(parameters, "If-Match", "header", "The version that is meant, as ETag gave it. 期望的版本")
                    .put("required", ifMatch.equals("required"));
        }
        return parameters;
    }

    private static ObjectNode parameter(ArrayNode parameters, String name, String in, String description) {
        ObjectNode parameter =
                parameters.addObject().put("name", name).put("in", in).put("description", description);
        parameter.putObject("schema").put("type", "string");
        return parameter;
    }

    private ObjectNode responses(Route route, JsonNode told, String scope) {
        Map<Integer, ObjectNode> byStatus = new TreeMap<>();
        told.path("answers").properties().forEach(answer -> {
            int status = Integer.parseInt(answer.getKey());
            ObjectNode response =
                    MAPPER.createObjectNode().put("description", status == 201 ? "Created. 已创建" : "Done. 成功");
            ObjectNode headers = response.putObject("headers");
            header(headers, "X-Request-Id", "The request's id. 请求标识");
            if (told.path("key").asBoolean(false)
                    || told.path("id").asString("").equals("getTask")) {
                header(headers, "ETag", "The resource's version. 版本");
            }
            if (status == 201 && told.path("key").asBoolean(false)) {
                header(headers, "Location", "Where the resource is. 资源地址");
            }
            String media = told.path("media_out").asString(told.path("media").asString(JSON));
            content(response, media, answer.getValue().asString());
            byStatus.put(status, response);
        });
        if (byStatus.isEmpty()) {
            byStatus.put(200, MAPPER.createObjectNode().put("description", "Done. 成功"));
        }
        Map<Integer, List<ErrorCode>> errors = new TreeMap<>();
        for (ErrorCode code : ErrorCode.values()) {
            if (isPossible(code, route, told, scope)) {
                errors.computeIfAbsent(code.status(), status -> new ArrayList<>())
                        .add(code);
            }
        }
        errors.forEach((status, codes) -> byStatus.put(status, problem(codes)));
        ObjectNode responses = MAPPER.createObjectNode();
        byStatus.forEach((status, response) -> responses.set(Integer.toString(status), response));
        return responses;
    }

    private static boolean isPossible(ErrorCode code, Route route, JsonNode told, String scope) {
        boolean withBody = told.has("request");
        return switch (code.wireName()) {
            case "unauthorized", "forbidden", "rate_limited" -> !scope.equals("public");
            case "bad_payload" ->
                withBody || told.has("query") || told.path("key").asBoolean(false);
            case "payload_too_large", "unsupported_media_type" -> withBody;
            case "idempotency_key_reused", "request_in_progress" ->
                told.path("key").asBoolean(false);
            case "not_found" ->
                route.path().contains("{") || told.path("id").asString("").equals("findGroup");
            case "storage_failed", "internal_error" -> true;
            case "method_not_allowed", "not_acceptable" -> false;
            default -> {
                boolean named = false;
                for (JsonNode error : told.path("errors")) {
                    named |= error.asString().equals(code.wireName());
                }
                yield named;
            }
        };
    }

    private static ObjectNode problem(List<ErrorCode> codes) {
        List<String> lines = codes.stream()
                .map(code -> code.wireName() + ": " + code.title() + ". " + code.titleZh()
                        + (code.retryable() ? " (retryable 可重试)" : ""))
                .toList();
        ObjectNode response = MAPPER.createObjectNode().put("description", String.join("\n", lines));
        ObjectNode headers = response.putObject("headers");
        header(headers, "X-Request-Id", "The request's id. 请求标识");
        if (codes.stream().anyMatch(ErrorCode::retryable)) {
            header(headers, "Retry-After", "Seconds to wait before the same request again. 重试前等待秒数");
        }
        content(response, "application/problem+json", "Problem");
        return response;
    }

    private static void header(ObjectNode headers, String name, String description) {
        headers.putObject(name)
                .put("description", description)
                .putObject("schema")
                .put("type", "string");
    }

    private static void content(ObjectNode owner, String media, String schema) {
        owner.putObject("content").putObject(media).putObject("schema").put("$ref", SCHEMAS + schema);
    }
}
