package dev.postonce.contract;

import com.fasterxml.jackson.annotation.JsonInclude;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/** The one JSON form of events: snake case, absent rather than null, ISO instants, unknown fields ignored. */
public final class EventJson {

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .changeDefaultPropertyInclusion(inclusion ->
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.NON_NULL))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .build();

    private EventJson() {}

    /** The shared mapper; it is immutable. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    public static String write(Object state) {
        return MAPPER.writeValueAsString(state);
    }

    /**
     * Reads an event's data.
     *
     * @throws UndecodableEventException if the text is not JSON of that shape; the caller parks the event
     */
    public static <T> T read(String data, Class<T> type) {
        try {
            T value = MAPPER.readValue(data, type);
            if (value == null) {
                throw new UndecodableEventException("event data is the JSON null", null);
            }
            return value;
        } catch (JacksonException e) {
            throw new UndecodableEventException("event data is not a " + type.getSimpleName(), e);
        }
    }

    public static JsonNode tree(Object state) {
        return MAPPER.valueToTree(state);
    }
}
