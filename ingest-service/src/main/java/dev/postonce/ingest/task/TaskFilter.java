package dev.postonce.ingest.task;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.web.Refusal;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which tasks a list shows, and after which one it goes on. Null lets everything through. */
record TaskFilter(
        @Nullable String status,
        @Nullable String targetState,
        @Nullable String site,
        @Nullable String slug,
        @Nullable Instant updatedSince,
        @Nullable Instant updatedBefore,
        @Nullable Position after) {

    static final Set<String> PARAMETERS =
            Set.of("status", "target_state", "site", "slug", "updated_since", "updated_before", "cursor", "limit");

    private static final Set<String> STATUSES = Set.of("active", "draft", "archived");

    /** The last task of a page; the next one begins behind it. */
    record Position(Instant updatedAt, String externalId) {

        String cursor() {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString((updatedAt + "|" + externalId).getBytes(StandardCharsets.UTF_8));
        }

        static Position of(String cursor) {
            try {
                String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
                int bar = text.indexOf('|');
                String externalId = text.substring(bar + 1);
                if (bar < 1 || !ExternalIds.FORM.matcher(externalId).matches()) {
                    throw wrong("cursor", "is not one that a list gave");
                }
                return new Position(Instant.parse(text.substring(0, bar)), externalId);
            } catch (IllegalArgumentException | DateTimeException e) {
                throw wrong("cursor", "is not one that a list gave");
            }
        }
    }

    static TaskFilter of(Map<String, String> query) {
        @Nullable String status = query.get("status");
        if (status != null && !STATUSES.contains(status)) {
            throw wrong("status", "may be active, draft or archived");
        }
        @Nullable String cursor = query.get("cursor");
        return new TaskFilter(
                status,
                plain(query, "target_state"),
                plain(query, "site"),
                slug(query),
                time(query, "updated_since"),
                time(query, "updated_before"),
                cursor == null ? null : Position.of(cursor));
    }

    private static @Nullable String plain(Map<String, String> query, String name) {
        @Nullable String value = query.get(name);
        if (value != null && !value.matches("[a-z0-9._-]{1,64}")) {
            throw wrong(name, "must be 1 to 64 of a-z 0-9 . _ -");
        }
        return value;
    }

    private static @Nullable String slug(Map<String, String> query) {
        @Nullable String value = query.get("slug");
        return value == null ? null : SubmissionReader.slug(value).orElseThrow(() -> wrong("slug", "is not a slug"));
    }

    private static @Nullable Instant time(Map<String, String> query, String name) {
        @Nullable String value = query.get(name);
        if (value == null) {
            return null;
        }
        try {
            // A plus sign that was not encoded has become a blank.
            Instant time = OffsetDateTime.parse(value.replace(' ', '+')).toInstant();
            if (time.isAfter(Instant.EPOCH) && time.isBefore(Instant.parse("9000-01-01T00:00:00Z"))) {
                return time;
            }
            throw wrong(name, "lies too far away");
        } catch (DateTimeException e) {
            throw wrong(name, "must be a time with an offset, such as 2026-11-11T00:00:00Z");
        }
    }

    private static Refusal wrong(String name, String detail) {
        return Refusal.badPayload("query:" + name, detail);
    }

    JdbcParameters bind(JdbcParameters parameters) {
        return parameters
                .text("status", status)
                .text("target_state", targetState)
                .text("site", site)
                .text("slug", slug)
                .time("updated_since", updatedSince)
                .time("updated_before", updatedBefore)
                .time("after_time", after == null ? null : after.updatedAt())
                .text("after_id", after == null ? null : after.externalId());
    }
}
