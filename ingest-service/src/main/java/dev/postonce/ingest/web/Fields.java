package dev.postonce.ingest.web;

import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the members of a JSON object, and gathers everything that is wrong with them, so that one answer tells all. */
public final class Fields {

    private static final int ERRORS_MAX = 50;
    private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");
    private static final int URL_CHARACTERS_MAX = 2048;

    private final ObjectNode json;
    private final List<FieldError> errors = new ArrayList<>();

    public Fields(ObjectNode json, Set<String> known) {
        this.json = json;
        for (String name : json.propertyNames()) {
            if (!known.contains(name)) {
                wrong(name, "is not a known field");
            }
        }
    }

    public void wrong(String name, String detail) {
        if (errors.size() < ERRORS_MAX) {
            errors.add(new FieldError("/" + name.replace("~", "~0").replace("/", "~1"), detail));
        }
    }

    private void wrongAt(String name, int index, String detail) {
        if (errors.size() < ERRORS_MAX) {
            errors.add(new FieldError("/" + name + "/" + index, detail));
        }
    }

    public void refuseIfWrong() {
        if (!errors.isEmpty()) {
            throw Refusal.badPayload(errors);
        }
    }

    /** Whether there is a value. Many exporters write an empty text for a field that they do not fill. */
    public boolean has(String name) {
        JsonNode node = json.get(name);
        return node != null
                && !node.isNull()
                && !(node.isString() && node.stringValue().isEmpty());
    }

    public void require(String name) {
        if (!has(name)) {
            wrong(name, "is required");
        }
    }

    /** One line of text; null where absent or wrong. */
    public @Nullable String line(String name, int charactersMax) {
        return text(name, charactersMax, false);
    }

    /** Text of any number of lines; null where absent or wrong. */
    public @Nullable String lines(String name, int charactersMax) {
        return text(name, charactersMax, true);
    }

    private @Nullable String text(String name, int charactersMax, boolean manyLines) {
        if (!has(name)) {
            return null;
        }
        JsonNode node = json.get(name);
        String problem = node.isString() ? problemOf(node.stringValue(), charactersMax, manyLines) : "must be a string";
        if (problem != null) {
            wrong(name, problem);
            return null;
        }
        return node.stringValue();
    }

    public @Nullable String matching(String name, Pattern form, String description) {
        String value = line(name, URL_CHARACTERS_MAX);
        if (value != null && !form.matcher(value).matches()) {
            wrong(name, "must be " + description);
            return null;
        }
        return value;
    }

    /** A list of texts without repetitions, in the order given; empty where absent or wrong. */
    public List<String> list(String name, int itemsMax, int charactersMax) {
        if (!has(name)) {
            return List.of();
        }
        JsonNode node = json.get(name);
        if (!node.isArray() || node.size() > itemsMax) {
            wrong(name, "must be a list of at most " + itemsMax + " strings");
            return List.of();
        }
        Set<String> values = new LinkedHashSet<>();
        for (int i = 0; i < node.size(); i++) {
            JsonNode item = node.get(i);
            String problem = item.isString() ? problemOf(item.stringValue(), charactersMax, false) : "must be a string";
            if (problem != null) {
                wrongAt(name, i, problem);
            } else {
                values.add(item.stringValue());
            }
        }
        return List.copyOf(values);
    }

    /** An RFC 3339 time; microseconds, as the database keeps them. */
    public @Nullable Instant time(String name) {
        String value = line(name, 64);
        if (value == null) {
            return null;
        }
        try {
            Instant time = OffsetDateTime.parse(value).toInstant().truncatedTo(ChronoUnit.MICROS);
            if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
                return time;
            }
            wrong(name, "must lie between 2000 and 2200");
        } catch (DateTimeException e) {
            wrong(name, "must be a time with an offset, such as 2026-11-11T00:00:00+08:00");
        }
        return null;
    }

    /** Null where absent or wrong. */
    public @Nullable Integer wholeNumber(String name, int min, int max) {
        if (!has(name)) {
            return null;
        }
        JsonNode node = json.get(name);
        if (!node.isInt() || node.intValue() < min || node.intValue() > max) {
            wrong(name, "must be a whole number from " + min + " to " + max);
            return null;
        }
        return node.intValue();
    }

    /** A URL that Postonce or a platform may fetch, in its ASCII form. */
    public @Nullable String url(String name, OutgoingPolicy policy) {
        String value = line(name, URL_CHARACTERS_MAX);
        if (value == null) {
            return null;
        }
        try {
            String ascii = new URI(value).toASCIIString();
            Optional<String> refusal = SafeHttpClient.refusalOf(new URI(ascii), policy);
            if (refusal.isEmpty()) {
                return ascii;
            }
            wrong(name, "is a URL that may not be called: " + refusal.get());
        } catch (URISyntaxException e) {
            wrong(name, "is not a URL");
        }
        return null;
    }

    private static @Nullable String problemOf(String value, int charactersMax, boolean manyLines) {
        if (value.isBlank()) {
            return "must not be blank";
        }
        if (value.length() > charactersMax && value.codePointCount(0, value.length()) > charactersMax) {
            return "must have at most " + charactersMax + " characters";
        }
        return isPlain(value, manyLines) ? null : "has a control character or half of a surrogate pair";
    }

    /** By units, not by code points: each article passes here. */
    private static boolean isPlain(String value, boolean manyLines) {
        for (int i = 0; i < value.length(); i++) {
            char unit = value.charAt(i);
            if (Character.isISOControl(unit)) {
                if (!manyLines || (unit != '\n' && unit != '\r' && unit != '\t')) {
                    return false;
                }
            } else if (Character.isSurrogate(unit)) {
                i++;
                if (i == value.length() || !Character.isSurrogatePair(unit, value.charAt(i))) {
                    return false;
                }
            }
        }
        return true;
    }
}
