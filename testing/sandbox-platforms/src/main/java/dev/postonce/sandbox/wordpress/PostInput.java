package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.http.SandboxRequest;
import dev.postonce.sandbox.journal.Json;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** What a create or an update asks for; what is absent stays as it is. Unknown members and meta keys are dropped. */
record PostInput(
        @Nullable String title,
        @Nullable String content,
        @Nullable String excerpt,
        @Nullable String slug,
        @Nullable PostStatus status,
        @Nullable Instant date,
        @Nullable Long authorId) {

    static PostInput of(SandboxRequest request) {
        JsonNode json = members(request);
        refuseWrongTypes(json);
        return new PostInput(
                text(json, "title"),
                text(json, "content"),
                text(json, "excerpt"),
                plain(json, "slug"),
                status(json),
                date(json),
                author(json));
    }

    static JsonNode members(SandboxRequest request) {
        String type = String.valueOf(request.header("content-type")).toLowerCase(Locale.ROOT);
        if (type.contains("json")) {
            if (request.body().length == 0) {
                return Json.object();
            }
            JsonNode json = Json.parse(request.body());
            if (json == null) {
                throw RestError.invalidJson();
            }
            return json.isObject() ? json : Json.object();
        }
        ObjectNode form = Json.object();
        if (type.startsWith("application/x-www-form-urlencoded")) {
            for (String pair : new String(request.body(), StandardCharsets.UTF_8).split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0) {
                    form.put(decode(pair.substring(0, equals)), decode(pair.substring(equals + 1)));
                }
            }
        }
        return form;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }

    private static void refuseWrongTypes(JsonNode json) {
        for (String terms : new String[] {"tags", "categories"}) {
            JsonNode value = json.get(terms);
            if (value != null && value.isArray()) {
                for (int i = 0; i < value.size(); i++) {
                    if (!isInteger(value.get(i))) {
                        throw RestError.wrongType(terms, terms + "[" + i + "]", "integer");
                    }
                }
            }
        }
        JsonNode meta = json.get("meta");
        if (meta != null && !meta.isObject() && !(meta.isArray() && meta.isEmpty())) {
            throw RestError.invalidMeta();
        }
        JsonNode media = json.get("featured_media");
        if (media != null && !isInteger(media)) {
            throw RestError.wrongType("featured_media", "featured_media", "integer");
        }
    }

    private static boolean isInteger(JsonNode value) {
        return value.isIntegralNumber() || (value.isString() && value.asString().matches("-?[0-9]+"));
    }

    /** A string, or an object with {@code raw}; all else counts as empty. */
    private static @Nullable String text(JsonNode json, String name) {
        JsonNode value = json.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        JsonNode text = value.isObject() ? value.path("raw") : value;
        return text.isString() ? text.asString() : "";
    }

    private static @Nullable String plain(JsonNode json, String name) {
        JsonNode value = json.get(name);
        if (value == null || value.isNull()) {
            return null;
        }
        if (!value.isString()) {
            throw RestError.wrongType(name, name, "string");
        }
        return value.asString();
    }

    private static @Nullable PostStatus status(JsonNode json) {
        String word = plain(json, "status");
        if (word == null) {
            return null;
        }
        PostStatus status = PostStatus.find(word);
        if (status == null || !status.isSettable()) {
            throw RestError.notInEnum("status", "status is not one of publish, future, draft, pending, and private.");
        }
        return status;
    }

    /** The site's own time zone is UTC, so both members mean the same. */
    private static @Nullable Instant date(JsonNode json) {
        String name = json.hasNonNull("date") ? "date" : "date_gmt";
        String text = plain(json, name);
        if (text == null) {
            return null;
        }
        try {
            return text.matches(".*([zZ]|[+-][0-9]{2}:?[0-9]{2})$")
                    ? OffsetDateTime.parse(text).toInstant()
                    : LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw RestError.invalidParameter(name, "Invalid date.", "rest_invalid_date", null);
        }
    }

    private static @Nullable Long author(JsonNode json) {
        JsonNode value = json.get("author");
        if (value == null || value.isNull()) {
            return null;
        }
        if (!isInteger(value)) {
            throw RestError.wrongType("author", "author", "integer");
        }
        return value.asLong();
    }
}
