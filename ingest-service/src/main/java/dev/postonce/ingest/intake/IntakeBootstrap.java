package dev.postonce.ingest.intake;

import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads {@code intake_secrets} of the tenants in {@code POSTONCE_BOOTSTRAP_FILE}: {@code key_id}, {@code client_id},
 * {@code secret}. Messages name places, never values.
 */
final class IntakeBootstrap {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final IntakeSecrets secrets;

    IntakeBootstrap(IntakeSecrets secrets) {
        this.secrets = secrets;
    }

    void run(String file) {
        if (file.isEmpty()) {
            return;
        }
        for (JsonNode tenant : read(Path.of(file)).path("tenants")) {
            String tenantId = tenant.path("tenant_id").asString("");
            int number = 0;
            for (JsonNode secret : tenant.path("intake_secrets")) {
                String place = "tenant " + tenantId + " intake_secrets/" + number++;
                secrets.issue(
                        tenantId,
                        text(secret, "client_id", place),
                        text(secret, "key_id", place),
                        Secret.of(text(secret, "secret", place)));
            }
        }
    }

    private static JsonNode read(Path file) {
        try {
            return MAPPER.readTree(Files.readString(file));
        } catch (IOException e) {
            throw new UncheckedIOException("POSTONCE_BOOTSTRAP_FILE cannot be read", e);
        } catch (JacksonException e) {
            // Without the cause: the parser's message may quote a secret.
            throw new IllegalArgumentException("POSTONCE_BOOTSTRAP_FILE is not JSON; mend it and start again");
        }
    }

    private static String text(JsonNode node, String name, String place) {
        @Nullable String value = node.path(name).asString(null);
        if (value == null || value.isBlank()) {
            throw new IllegalArgumentException(
                    "POSTONCE_BOOTSTRAP_FILE: " + place + "/" + name + " is required; mend the file and start again");
        }
        return value;
    }
}
