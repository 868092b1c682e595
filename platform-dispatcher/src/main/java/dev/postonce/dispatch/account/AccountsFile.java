package dev.postonce.dispatch.account;

import dev.postonce.contract.Platform;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The accounts file: {@code tenants} → group code ({@code *} for all others) → platform → account. Read once, at
 * start. A file that cannot be read as a whole stops the start; a single account whose credential is not there is
 * {@code credential_missing}, and the others go on.
 */
public final class AccountsFile implements AccountBook {

    private static final Logger LOG = LoggerFactory.getLogger(AccountsFile.class);
    private static final int FILE_BYTES_MAX = 16 * 1024 * 1024;
    private static final String ALL_GROUPS = "*";

    private final Map<Key, Choice> choices;
    private final Map<Key, Account> named;

    private record Key(String tenantId, String name, Platform platform) {}

    private AccountsFile(Map<Key, Choice> choices, Map<Key, Account> named) {
        this.choices = Map.copyOf(choices);
        this.named = Map.copyOf(named);
    }

    /** No accounts at all: every target is {@code not_configured}. */
    public static AccountsFile empty() {
        return new AccountsFile(Map.of(), Map.of());
    }

    public static AccountsFile read(Path file, CredentialReader credentials) {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new IllegalStateException("the accounts file is larger than " + FILE_BYTES_MAX + " bytes");
            }
            return parse(Files.readString(file), credentials);
        } catch (IOException e) {
            throw new UncheckedIOException("the accounts file cannot be read; mend POSTONCE_ACCOUNTS_FILE: " + file, e);
        }
    }

    public static AccountsFile parse(String json, CredentialReader credentials) {
        Map<Key, Choice> choices = new HashMap<>();
        Map<Key, Account> named = new HashMap<>();
        for (Map.Entry<String, JsonNode> tenant : tree(json).path("tenants").properties()) {
            for (Map.Entry<String, JsonNode> group : tenant.getValue().properties()) {
                for (Map.Entry<String, JsonNode> entry : group.getValue().properties()) {
                    Optional<Platform> platform = Platform.of(entry.getKey());
                    if (platform.isEmpty()) {
                        throw new IllegalStateException("the accounts file names an unknown platform, " + entry.getKey()
                                + ", for tenant " + tenant.getKey());
                    }
                    Key key = new Key(tenant.getKey(), group.getKey(), platform.get());
                    Choice choice = choiceOf(key, entry.getValue(), credentials);
                    choices.put(key, choice);
                    if (choice instanceof Choice.Found found) {
                        remember(named, key, found.account());
                    }
                }
            }
        }
        return new AccountsFile(choices, named);
    }

    private static JsonNode tree(String json) {
        try {
            return JsonMapper.shared().readTree(json);
        } catch (JacksonException e) {
            // Its message could quote a secret.
            throw new IllegalStateException("the accounts file is not JSON, near line "
                    + (e.getLocation() == null ? "?" : e.getLocation().getLineNr()));
        }
    }

    private static void remember(Map<Key, Account> named, Key key, Account account) {
        Account before = named.put(new Key(key.tenantId(), account.name(), key.platform()), account);
        if (before != null && !before.equals(account)) {
            throw new IllegalStateException("the accounts file gives tenant " + key.tenantId()
                    + " two different accounts named " + account.name() + " at "
                    + key.platform().wireName());
        }
    }

    private static Choice choiceOf(Key key, JsonNode node, CredentialReader credentials) {
        String where = "tenant " + key.tenantId() + ", group " + key.name() + ", "
                + key.platform().wireName();
        try {
            Account account =
                    switch (key.platform()) {
                        case WORDPRESS ->
                            new WordPressAccount(
                                    text(node, "account", where),
                                    text(node, "base_url", where).replaceAll("/+$", ""),
                                    text(node, "username", where),
                                    credentials.read(text(node, "password", where)));
                        case WEBHOOK ->
                            new WebhookAccount(
                                    text(node, "account", where),
                                    URI.create(text(node, "url", where)),
                                    credentials.read(text(node, "secret", where)));
                        default -> null;
                    };
            return account == null ? new Choice.Missing("connector_missing") : new Choice.Found(account);
        } catch (CredentialReader.MissingCredentialException e) {
            LOG.warn(
                    "{}: {}; its targets are not_configured until the credential is there at a start",
                    where,
                    e.getMessage());
            return new Choice.Missing("credential_missing");
        }
    }

    private static String text(JsonNode node, String field, String where) {
        @Nullable String value = node.path(field).stringValue(null);
        if (value == null || value.isBlank()) {
            throw new IllegalStateException("the accounts file lacks " + field + " for " + where);
        }
        return value;
    }

    @Override
    public Choice choose(String tenantId, String groupCode, Platform platform) {
        Choice own = choices.get(new Key(tenantId, groupCode, platform));
        if (own != null) {
            return own;
        }
        Choice all = choices.get(new Key(tenantId, ALL_GROUPS, platform));
        return all != null ? all : new Choice.Missing("account_missing");
    }

    @Override
    public Optional<Account> named(String tenantId, Platform platform, String account) {
        return Optional.ofNullable(named.get(new Key(tenantId, account, platform)));
    }
}
