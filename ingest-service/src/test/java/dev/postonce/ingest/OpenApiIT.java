package dev.postonce.ingest;

import static dev.postonce.ingest.Intake.ALPHA;
import static dev.postonce.ingest.Intake.JSON;
import static dev.postonce.ingest.Intake.get;
import static dev.postonce.ingest.Intake.post;
import static dev.postonce.ingest.Intake.send;
import static dev.postonce.ingest.Intake.service;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.Intake.Answer;
import dev.postonce.ingest.web.ErrorCode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Run with {@code -Dpostonce.openapi.write=true} to write docs/openapi.json anew. */
class OpenApiIT {

    private static JsonNode document() {
        return JSON.readTree(get("", "/openapi.json").text());
    }

    private static Path committed() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docs/names.md"))) {
            here = here.getParent();
        }
        return here.resolve("docs/openapi.json");
    }

    @Test
    void the_committed_document_is_that_of_the_running_service() throws IOException {
        String generated = get("", "/openapi.json").text();
        if (Boolean.getBoolean("postonce.openapi.write")) {
            Files.writeString(committed(), generated);
        }
        assertThat(Files.readString(committed()))
                .as("docs/openapi.json; write it anew with -Dpostonce.openapi.write=true")
                .isEqualTo(generated);
    }

    @Test
    void every_route_is_told_by_name_and_no_other_is() {
        List<String> untold = new ArrayList<>();
        document().path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(operation -> {
                    if (operation.getValue().path("tags").path(0).asString().equals("other")) {
                        untold.add(operation.getKey() + " " + path.getKey());
                    }
                }));
        assertThat(untold).as("routes that operations.yaml does not know").isEmpty();
    }

    @Test
    void every_error_code_tells_what_to_do_in_both_languages() {
        List<String> told = new ArrayList<>();
        for (JsonNode code : document().path("x-error-codes")) {
            assertThat(code.path("next").asString()).isNotBlank();
            assertThat(code.path("next_zh").asString())
                    .as(code.path("error_code").asString())
                    .isNotBlank();
            told.add(code.path("error_code").asString());
        }
        assertThat(told).hasSize(ErrorCode.values().length);
    }

    @Test
    void what_needs_a_key_refuses_without_one_and_what_is_public_does_not() {
        document().path("paths").properties().forEach(path -> path.getValue()
                .properties()
                .forEach(operation -> {
                    HttpRequest request = HttpRequest.newBuilder(URI.create(service()
                                            .url()
                                    + path.getKey().replaceAll("\\{[^}]*}", "00000000-0000-4000-8000-000000000000")))
                            .header("Content-Type", "application/json")
                            .method(
                                    operation.getKey().toUpperCase(java.util.Locale.ROOT),
                                    BodyPublishers.ofString("{}"))
                            .build();
                    boolean open = operation.getValue().has("security");
                    assertThat(send(request).status())
                            .as(operation.getKey() + " " + path.getKey())
                            .isEqualTo(open ? 404 : 401);
                }));
    }

    @Test
    void the_fields_of_a_submission_and_their_limits_are_those_of_the_intake() {
        JsonNode submission =
                document().path("components").path("schemas").path("Submission").path("properties");
        ObjectNode all = JSON.createObjectNode();
        ObjectNode longest = JSON.createObjectNode();
        ObjectNode tooLong = JSON.createObjectNode();
        submission.properties().forEach(property -> {
            all.put(property.getKey(), 1);
            int max = property.getValue().path("maxLength").asInt(0);
            if (max > 0 && !property.getKey().endsWith("_url")) {
                longest.put(property.getKey(), "x".repeat(max));
                tooLong.put(property.getKey(), "x".repeat(max + 1));
            }
        });
        Answer unknown = post(ALPHA, "/v1/tasks", all.put("no_such_field", 1));
        assertThat(unknown.text()).contains("/no_such_field");
        List<String> notKnown = new ArrayList<>();
        unknown.body().path("errors").forEach(error -> {
            if (error.path("detail").asString().contains("not a known field")) {
                notKnown.add(error.path("pointer").asString());
            }
        });
        assertThat(notKnown).containsExactly("/no_such_field");
        List<String> pointers = post(ALPHA, "/v1/tasks", tooLong).pointers();
        assertThat(longest.size()).isPositive();
        tooLong.propertyNames().forEach(name -> assertThat(pointers).contains("/" + name));
        List<String> fitting = post(ALPHA, "/v1/tasks", longest).pointers();
        longest.propertyNames().forEach(name -> assertThat(fitting).doesNotContain("/" + name));
    }

    @Test
    void the_page_to_try_it_takes_nothing_from_elsewhere() {
        for (String path : List.of("/api", "/api/page.js", "/api/page.css")) {
            Answer answer = get("", path);
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("Content-Security-Policy")).contains("default-src 'none'", "script-src 'self'");
            assertThat(answer.text()).doesNotContain("http://", "https://");
        }
    }
}
