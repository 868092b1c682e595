package dev.postonce.systemtests.harness;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Secret;
import dev.postonce.standalone.PrivateFiles;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Several tenants, each with a key, a site, and accounts of its own at the sandbox; and the secrets of one cluster. */
public final class Tenants {

    public static final List<String> IDS = List.of("alpha", "beta", "gamma");

    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();
    private final Path directory;
    private final Map<String, Secret> keys = new LinkedHashMap<>();
    private final Map<String, Secret> intakeSecrets = new LinkedHashMap<>();
    private final Secret databasePassword;
    private final Secret pepper;
    private final Secret secretsKey;
    private final Secret callbackSecret;
    private final Secret webhookSecret;
    private final Secret wordPressPassword;

    Tenants(Path directory) {
        this.directory = directory;
        PrivateFiles.directory(directory);
        this.databasePassword = Secret.of(hex(BYTES));
        this.pepper = Secret.of(hex(BYTES));
        this.secretsKey = Secret.of(base64());
        this.callbackSecret = Secret.of("whsec_" + base64());
        this.webhookSecret = Secret.of("whsec_" + base64());
        this.wordPressPassword = Secret.of(hex(BYTES));
        for (String tenant : IDS) {
            keys.put(
                    tenant,
                    Secret.of(ApiKeyToken.generate("test", hex(6), random).reveal()));
            intakeSecrets.put(tenant, Secret.of("pis_" + hex(BYTES)));
        }
        PrivateFiles.write(directory.resolve("database-password"), databasePassword.reveal() + "\n");
    }

    public Secret key(String tenant) {
        return keys.get(tenant);
    }

    /** Signs the tenant's records of the intake topic. */
    public Secret intakeSecret(String tenant) {
        return intakeSecrets.get(tenant);
    }

    public String intakeKeyId(String tenant) {
        return tenant + "-records";
    }

    Secret databasePassword() {
        return databasePassword;
    }

    /** Whatever must never stand in a log, a row or a header. */
    List<String> canaries() {
        List<String> canaries = new ArrayList<>();
        keys.values().forEach(key -> canaries.add(key.reveal()));
        intakeSecrets.values().forEach(secret -> canaries.add(secret.reveal()));
        for (Secret secret :
                List.of(databasePassword, pepper, secretsKey, callbackSecret, webhookSecret, wordPressPassword)) {
            canaries.add(secret.reveal());
        }
        return canaries;
    }

    /** For ingest-service. */
    Map<String, String> ingest() {
        List<Object> tenants = new ArrayList<>();
        keys.forEach((tenant, key) -> tenants.add(Map.of(
                "tenant_id",
                tenant,
                "name",
                tenant,
                "environment",
                "test",
                "keys",
                List.of(Map.of(
                        "client_id",
                        tenant + "-client",
                        "scopes",
                        List.of("submit", "read", "ops"),
                        "token",
                        key.reveal())),
                "callback_secret",
                callbackSecret.reveal(),
                "intake_secrets",
                List.of(Map.of(
                        "key_id",
                        intakeKeyId(tenant),
                        "client_id",
                        tenant + "-client",
                        "secret",
                        intakeSecrets.get(tenant).reveal())),
                "sites",
                List.of(Map.of(
                        "site",
                        "blog",
                        "base_url",
                        "https://blog.example.com",
                        "url_pattern",
                        "/{language}/{slug}")))));
        Path file = directory.resolve("bootstrap.json");
        PrivateFiles.write(file, EventJson.write(Map.of("tenants", tenants)) + "\n");
        return Map.of(
                "POSTONCE_KEY_PEPPER", pepper.reveal(),
                "POSTONCE_SECRETS_KEY", secretsKey.reveal(),
                "POSTONCE_BOOTSTRAP_FILE", file.toString());
    }

    Map<String, String> index() {
        return Map.of("POSTONCE_KEY_PEPPER", pepper.reveal());
    }

    /** For the dispatcher. */
    Map<String, String> dispatcher(String sandboxUrl) {
        Map<String, Object> tenants = new LinkedHashMap<>();
        for (String tenant : IDS) {
            tenants.put(
                    tenant,
                    Map.of(
                            "*",
                            Map.of(
                                    "wordpress",
                                    Map.of(
                                            "account",
                                            "site-" + tenant,
                                            "base_url",
                                            sandboxUrl + "/wordpress/site-" + tenant,
                                            "username",
                                            "postonce",
                                            "password",
                                            wordPressPassword.reveal()),
                                    "webhook",
                                    Map.of(
                                            "account", "hook-" + tenant,
                                            "url", sandboxUrl + "/webhook/hook-" + tenant,
                                            "secret", webhookSecret.reveal()))));
        }
        Path file = directory.resolve("accounts.json");
        PrivateFiles.write(file, EventJson.write(Map.of("tenants", tenants)) + "\n");
        return Map.of("POSTONCE_ACCOUNTS_FILE", file.toString());
    }

    Map<String, String> sandbox() {
        return Map.of(
                "POSTONCE_SANDBOX_WORDPRESS_USER", "postonce",
                "POSTONCE_SANDBOX_WORDPRESS_PASSWORD", wordPressPassword.reveal(),
                "POSTONCE_SANDBOX_WEBHOOK_SECRET", webhookSecret.reveal(),
                "POSTONCE_SANDBOX_CALLBACK_SECRET", callbackSecret.reveal());
    }

    private String hex(int bytes) {
        return HexFormat.of().formatHex(bytes(bytes));
    }

    private String base64() {
        return Base64.getEncoder().encodeToString(bytes(BYTES));
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }
}
