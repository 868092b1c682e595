package dev.postonce.sandbox;

import dev.postonce.sandbox.control.ControlApi;
import dev.postonce.sandbox.fault.FaultPlan;
import dev.postonce.sandbox.fault.FaultPlanJson;
import dev.postonce.sandbox.journal.Json;
import dev.postonce.sandbox.wordpress.WordPressUser;
import dev.postonce.sandbox.wordpress.WordPressUser.Role;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The environment and the command line of the process, read into its configuration. */
final class Settings {

    static final String USAGE =
            """
            sandbox-platforms: stand-ins for WordPress, a webhook receiver and a callback sink.

            Options:
              --faults=JSON   faults from the start on, as PUT /_sandbox/faults takes them
              --help          this text

            Settings (environment): POSTONCE_HTTP_ADDRESS, POSTONCE_HTTP_PORT, POSTONCE_SANDBOX_DIR,
            POSTONCE_SANDBOX_PUBLIC_URL, POSTONCE_SANDBOX_WORDPRESS_USER, POSTONCE_SANDBOX_WORDPRESS_PASSWORD,
            POSTONCE_SANDBOX_WORDPRESS_AUTHOR_USER, POSTONCE_SANDBOX_WORDPRESS_AUTHOR_PASSWORD,
            POSTONCE_SANDBOX_WEBHOOK_SECRET, POSTONCE_SANDBOX_CALLBACK_SECRET, POSTONCE_SANDBOX_FAULTS,
            POSTONCE_SANDBOX_RACE_WINDOW_MS, POSTONCE_SANDBOX_ALLOW_RESET; see docs/names.md.
            """;

    private final Map<String, String> environment;

    private Settings(Map<String, String> environment) {
        this.environment = environment;
    }

    /**
     * Reads them.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    static SandboxConfig read(Map<String, String> environment, List<String> arguments) {
        return new Settings(environment).config(arguments);
    }

    private SandboxConfig config(List<String> arguments) {
        String faults = value("POSTONCE_SANDBOX_FAULTS");
        for (String argument : arguments) {
            if (!argument.startsWith("--faults=")) {
                throw new IllegalArgumentException("no option is called " + argument + "; see --help");
            }
            faults = argument.substring("--faults=".length());
        }
        String directory = value("POSTONCE_SANDBOX_DIR");
        return new SandboxConfig(
                new SandboxConfig.Listen(
                        value("POSTONCE_HTTP_ADDRESS", "127.0.0.1"),
                        number("POSTONCE_HTTP_PORT", 8090, 65_535),
                        value("POSTONCE_SANDBOX_PUBLIC_URL"),
                        Boolean.parseBoolean(value("POSTONCE_SANDBOX_ALLOW_RESET"))),
                directory == null ? null : Path.of(directory),
                users(),
                new SandboxConfig.Secrets(
                        value("POSTONCE_SANDBOX_WEBHOOK_SECRET"), value("POSTONCE_SANDBOX_CALLBACK_SECRET")),
                faults == null ? FaultPlan.NONE : faultPlan(faults),
                Duration.ofMillis(number(
                        "POSTONCE_SANDBOX_RACE_WINDOW_MS", (int) SandboxConfig.DEFAULT_RACE_WINDOW.toMillis(), 60_000)),
                InstantSource.system());
    }

    private List<WordPressUser> users() {
        List<WordPressUser> users = new ArrayList<>();
        users.add(new WordPressUser(
                1,
                value("POSTONCE_SANDBOX_WORDPRESS_USER", SandboxConfig.DEFAULT_USER),
                value("POSTONCE_SANDBOX_WORDPRESS_PASSWORD", SandboxConfig.DEFAULT_PASSWORD),
                Role.ADMINISTRATOR));
        String author = value("POSTONCE_SANDBOX_WORDPRESS_AUTHOR_USER");
        String password = value("POSTONCE_SANDBOX_WORDPRESS_AUTHOR_PASSWORD");
        if (author != null && password != null) {
            users.add(new WordPressUser(2, author, password, Role.AUTHOR));
        }
        return users;
    }

    private static FaultPlan faultPlan(String text) {
        JsonNode json = Json.parse(text.getBytes(StandardCharsets.UTF_8));
        if (json == null) {
            throw new IllegalArgumentException("the faults are not JSON");
        }
        return FaultPlanJson.read(json, ControlApi.PLATFORMS);
    }

    private int number(String name, int absent, int max) {
        String text = value(name);
        if (text == null) {
            return absent;
        }
        if (!text.matches("[0-9]{1,9}") || Integer.parseInt(text) > max) {
            throw new IllegalArgumentException(name + " is a number from 0 to " + max + ", not " + text);
        }
        return Integer.parseInt(text);
    }

    private String value(String name, String absent) {
        String value = value(name);
        return value == null ? absent : value;
    }

    private @Nullable String value(String name) {
        String value = environment.get(name);
        return value == null || value.isBlank() ? null : value;
    }
}
