package dev.postonce.standalone.up;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** The development tenant: its key for clients, its entry for ingest-service, its accounts at the sandbox. */
final class DevTenant {

    static final String TENANT = "dev";
    static final String WORDPRESS_USER = "postonce";
    static final String WORDPRESS_SITE = "main";
    static final String WEBHOOK_ENDPOINT = "hook";

    private static final String ENVIRONMENT = "dev";

    private final StandaloneHome home;
    private final DevSecrets secrets;

    DevTenant(StandaloneHome home, DevSecrets secrets) {
        this.home = home;
        this.secrets = secrets;
    }

    Path bootstrapFile() {
        return secrets.file("bootstrap.json");
    }

    Path accountsFile() {
        return secrets.file("accounts.json");
    }

    /** Writes what is missing. The files are the user's after that: only addresses follow the ports. */
    void write(StackPorts ports) {
        int sandboxBefore = Files.exists(home.portsFile()) ? home.ports().of(Part.SANDBOX) : ports.of(Part.SANDBOX);
        if (!Files.exists(bootstrapFile())) {
            writeJson(bootstrapFile(), Map.of("tenants", List.of(tenant())));
        }
        if (!Files.exists(accountsFile())) {
            writeJson(accountsFile(), Map.of("tenants", Map.of(TENANT, accounts(ports))));
        } else if (sandboxBefore != ports.of(Part.SANDBOX)) {
            moveSandbox(sandboxBefore, ports.of(Part.SANDBOX));
        }
        home.recordPorts(ports);
        writeJson(
                home.devKeysFile(),
                new Keys(
                        TENANT,
                        secrets.apiKey(ENVIRONMENT).reveal(),
                        secrets.callbackSecret().reveal(),
                        ports.url(Part.INGEST),
                        ports.url(Part.INDEX),
                        ports.url(Part.SANDBOX),
                        ports.url(Part.SANDBOX) + "/callbacks/" + TENANT));
    }

    /** The shape of {@code dev-keys.json}. */
    private record Keys(
            String tenant,
            String apiKey,
            String callbackSecret,
            String apiUrl,
            String searchUrl,
            String sandboxUrl,
            String callbackSinkUrl) {}

    private Map<String, Object> tenant() {
        return Map.of(
                "tenant_id",
                TENANT,
                "name",
                "Development",
                "environment",
                ENVIRONMENT,
                "keys",
                List.of(Map.of(
                        "client_id", "dev-cli",
                        "scopes", List.of("submit", "read", "ops"),
                        "token", secrets.apiKey(ENVIRONMENT).reveal())),
                "callback_secret",
                secrets.callbackSecret().reveal(),
                "sites",
                List.of(Map.of(
                        "site", "blog",
                        "base_url", "https://blog.example.com",
                        "url_pattern", "/{language}/{slug}")));
    }

    private Map<String, Object> accounts(StackPorts ports) {
        Map<String, Object> platforms = Map.of(
                "wordpress",
                        Map.of(
                                "account",
                                WORDPRESS_SITE,
                                "base_url",
                                ports.url(Part.SANDBOX) + "/wordpress/" + WORDPRESS_SITE,
                                "username",
                                WORDPRESS_USER,
                                "password",
                                "file:" + secrets.file("wordpress-password")),
                "webhook",
                        Map.of(
                                "account", WEBHOOK_ENDPOINT,
                                "url", ports.url(Part.SANDBOX) + "/webhook/" + WEBHOOK_ENDPOINT,
                                "secret", "file:" + secrets.file("webhook-secret")));
        return Map.of("brand_official", platforms, "*", platforms);
    }

    /** Whether every account is at the sandbox of this port, as it is until somebody changes the file. */
    boolean accountsAreAt(int sandboxPort) {
        String sandbox = "http://127.0.0.1:" + sandboxPort + "/";
        JsonNode accounts;
        try {
            accounts = EventJson.mapper().readTree(Files.readString(accountsFile()));
        } catch (IOException | JacksonException e) {
            // The dispatcher says what is wrong with the file.
            return false;
        }
        return Stream.of("base_url", "url")
                .flatMap(name -> accounts.findValues(name).stream())
                .allMatch(url -> url.asString("").startsWith(sandbox));
    }

    private void moveSandbox(int from, int to) {
        try {
            String text = Files.readString(accountsFile());
            PrivateFiles.write(
                    accountsFile(), text.replace("http://127.0.0.1:" + from + "/", "http://127.0.0.1:" + to + "/"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot change " + accountsFile(), e);
        }
    }

    private static void writeJson(Path file, Object value) {
        String text = EventJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(value);
        PrivateFiles.write(file, text + "\n");
    }
}
