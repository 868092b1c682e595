package dev.postonce.ingest.web;

import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads query parameters: known ones only, each once. */
public final class Queries {

    private static final int PAGE_MAX = 200;
    private static final int PAGE_DEFAULT = 50;

    private Queries() {}

    public static Map<String, String> of(HttpServletRequest request, Set<String> known) {
        Map<String, String> query = new LinkedHashMap<>();
        List<FieldError> errors = new ArrayList<>();
        request.getParameterMap().forEach((name, values) -> {
            if (!known.contains(name)) {
                errors.add(new FieldError("query:" + name, "is not a known parameter"));
            } else if (values.length != 1 || values[0].isEmpty()) {
                errors.add(new FieldError("query:" + name, "must be given once, with a value"));
            } else {
                query.put(name, values[0]);
            }
        });
        if (!errors.isEmpty()) {
            throw Refusal.badPayload(errors.subList(0, Math.min(errors.size(), 20)));
        }
        return query;
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
