package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.erdtman.jcs.JsonCanonicalizer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The samples are golden: what they hold today must be read for ever. Add samples; never change one. */
class SamplesTest {

    private static final Path SAMPLES = Path.of("src/main/resources/dev/postonce/contract/samples");
    private static final Path EVENTS_PAGE = Path.of("../../docs/events.md");
    private static final Path ASYNC_API = Path.of("../../docs/asyncapi.yaml");
    private static final Pattern JSON_BLOCK =
            Pattern.compile("Sample `([^`]+)`:\n\n```json\n(.*?)\n```", Pattern.DOTALL);

    private static final Map<EventType, Class<? extends Record>> STATES = Map.of(
            EventType.TASK_STATE, TaskState.class,
            EventType.GROUP_STATE, GroupState.class,
            EventType.DISPATCH_STATE, DispatchState.class,
            EventType.KEY_STATE, KeyState.class);

    static Stream<Path> samples() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLES)) {
            return files.sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_sample_fits_its_schema_and_comes_back_as_it_was(Path file) throws IOException {
        String text = Files.readString(file);
        EventType type = typeOf(file);
        assertThat(schemaOf(type).validate(text, InputFormat.JSON)).isEmpty();

        Record state = EventJson.read(text, STATES.get(type));
        String written = EventJson.write(state);

        assertThat(new JsonCanonicalizer(written).getEncodedString())
                .isEqualTo(new JsonCanonicalizer(text).getEncodedString());
        String digest = EventJson.mapper().readTree(text).get("content_digest").asString();
        assertThat(Digests.ofState(state)).isEqualTo(digest);
    }

    @ParameterizedTest
    @MethodSource("samples")
    void a_member_that_a_later_version_adds_disturbs_neither_schema_nor_reader(Path file) throws IOException {
        ObjectNode later = (ObjectNode) EventJson.mapper().readTree(Files.readString(file));
        later.put("added_by_a_later_version", 1);
        assertThat(schemaOf(typeOf(file)).validate(later.toString(), InputFormat.JSON))
                .isEmpty();
        assertThat(EventJson.read(later.toString(), STATES.get(typeOf(file)))).isNotNull();
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void each_type_has_a_sample_and_a_place_in_the_documents(EventType type) throws IOException {
        assertThat(samples().filter(file -> typeOf(file) == type)).isNotEmpty();
        assertThat(Files.readString(EVENTS_PAGE)).contains("## `" + type.ceType() + "`");
        assertThat(Files.readString(ASYNC_API))
                .contains("address: " + type.topic())
                .contains("const: " + type.ceType())
                .contains("$ref: ../libs/event-contract/src/main/resources/" + type.schemaResource());
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void a_schema_names_what_the_record_holds_and_requires_what_is_never_absent(EventType type) throws IOException {
        JsonNode schema = EventJson.mapper().readTree(resource(type.schemaResource()));
        RecordComponent[] components = STATES.get(type).getRecordComponents();

        assertThat(schema.get("properties").propertyNames())
                .containsExactlyElementsOf(
                        Arrays.stream(components).map(SamplesTest::wireName).toList());
        List<String> required = new ArrayList<>();
        schema.get("required").forEach(name -> required.add(name.asString()));
        assertThat(required)
                .containsExactlyElementsOf(Arrays.stream(components)
                        .filter(component -> !component.getAnnotatedType().isAnnotationPresent(Nullable.class))
                        .map(SamplesTest::wireName)
                        .toList());
        schema.get("properties")
                .forEach(property ->
                        assertThat(property.get("description").asString()).endsWith("."));
    }

    @ParameterizedTest
    @EnumSource(EventType.class)
    void a_schema_refuses_an_event_without_a_required_member(EventType type) throws IOException {
        Path file =
                samples().filter(sample -> typeOf(sample) == type).findFirst().orElseThrow();
        for (JsonNode name :
                EventJson.mapper().readTree(resource(type.schemaResource())).get("required")) {
            ObjectNode damaged = (ObjectNode) EventJson.mapper().readTree(Files.readString(file));
            damaged.remove(name.asString());
            assertThat(schemaOf(type).validate(damaged.toString(), InputFormat.JSON))
                    .as(name.asString())
                    .isNotEmpty();
        }
    }

    @Test
    void the_page_of_events_shows_each_sample_as_it_is() throws IOException {
        Matcher block = JSON_BLOCK.matcher(Files.readString(EVENTS_PAGE));
        List<String> shown = new ArrayList<>();
        while (block.find()) {
            shown.add(block.group(1));
            assertThat(EventJson.mapper().readTree(block.group(2)))
                    .isEqualTo(EventJson.mapper().readTree(Files.readString(SAMPLES.resolve(block.group(1)))));
        }
        assertThat(shown)
                .containsExactlyInAnyOrderElementsOf(
                        samples().map(file -> file.getFileName().toString()).toList());
    }

    private static EventType typeOf(Path file) {
        String name = file.getFileName().toString();
        return Arrays.stream(EventType.values())
                .filter(type -> name.startsWith(
                        Path.of(type.schemaResource()).getFileName().toString().replace("schema.json", "")))
                .findFirst()
                .orElseThrow();
    }

    private static Schema schemaOf(EventType type) {
        return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                .getSchema(resource(type.schemaResource()), InputFormat.JSON);
    }

    private static String resource(String name) {
        try (InputStream in = SamplesTest.class.getClassLoader().getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static String wireName(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }
}
