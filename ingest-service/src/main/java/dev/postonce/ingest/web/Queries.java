package dev.postonce.ingest.web;

import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.UriUtils;

/** Reads query parameters: known ones only, each once. */
public final class Queries {

    private static final int PARAMETERS_MAX = 50;
    private static final int PAGE_MAX = 200;
    private static final int PAGE_DEFAULT = 50;

    private Queries() {}

    public static Map<String, String> of(HttpServletRequest request, Set<String> known) {
        Map<String, String> query = new LinkedHashMap<>();
        List<FieldError> errors = new ArrayList<>();
        given(request.getQueryString()).forEach((name, values) -> {
            if (!known.contains(name)) {
                errors.add(new FieldError("query:" + name, "is not a known parameter"));
            } else if (values.size() != 1 || values.get(0).isEmpty()) {
                errors.add(new FieldError("query:" + name, "must be given once, with a value"));
            } else {
                query.put(name, values.get(0));
            }
        });
        if (!errors.isEmpty()) {
            throw Refusal.badPayload(errors.subList(0, Math.min(errors.size(), 20)));
        }
        return query;
    }

    /** Of the query alone: the container would read a form in the body too, and leave none of it. */
    private static Map<String, List<String>> given(@Nullable String query) {
        Map<String, List<String>> given = new LinkedHashMap<>();
        if (query == null) {
            return given;
        }
        String[] pairs = query.split("&", PARAMETERS_MAX + 1);
        if (pairs.length > PARAMETERS_MAX) {
            throw Refusal.badPayload("query", "has more than " + PARAMETERS_MAX + " parameters");
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
            if (!name.isEmpty()) {
                given.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(equals < 0 ? "" : decoded(pair.substring(equals + 1)));
            }
        }
        return given;
    }

    private static String decoded(String text) {
        String decoded;
        try {
            decoded = UriUtils.decode(text.replace('+', ' '), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw Refusal.badPayload("query", "is not percent-encoded");
        }
        if (decoded.chars().anyMatch(Character::isISOControl)) {
            throw Refusal.badPayload("query", "has a control character");
        }
        return decoded;
    }

    /** Whether only to tell what a change would do; the route takes no other parameter. */
    public static boolean dryRun(HttpServletRequest request) {
        @Nullable String given = of(request, Set.of("dry_run")).get("dry_run");
        if (given != null && !given.equals("true") && !given.equals("false")) {
            throw Refusal.badPayload("query:dry_run", "must be true or false");
        }
        return "true".equals(given);
    }

    /** How many entries a page holds at most. */
    public static int limit(Map<String, String> query) {
        @Nullable String limit = query.get("limit");
        if (limit == null) {
            return PAGE_DEFAULT;
        }
        if (!limit.matches("[1-9][0-9]{0,2}") || Integer.parseInt(limit) > PAGE_MAX) {
            throw Refusal.badPayload("query:limit", "must be 1 to " + PAGE_MAX);
        }
        return Integer.parseInt(limit);
    }

    /** The digits of a cursor that counts downwards. */
    public static long before(Map<String, String> query) {
        @Nullable String cursor = query.get("cursor");
        if (cursor == null) {
            return Long.MAX_VALUE;
        }
        if (!cursor.matches("[1-9][0-9]{0,17}")) {
            throw Refusal.badPayload("query:cursor", "is not one that a list gave");
        }
        return Long.parseLong(cursor);
    }
}
