package dev.postonce.ingest.tenant;

import dev.postonce.ingest.tenant.TenantPolicy.CheckLevel;
import dev.postonce.ingest.tenant.TenantPolicy.ContentPolicy;
import dev.postonce.ingest.tenant.TenantPolicy.DuplicatePolicy;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The first tenants, as the file of {@code POSTONCE_BOOTSTRAP_FILE} gives them. Messages name places, never values. */
record BootstrapFile(List<Tenant> tenants) {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Set<String> SCOPES = Set.of("submit", "read", "ops");

    record Tenant(
            String tenantId,
            String name,
            String environment,
            @Nullable Integer ratePerSecond,
            List<Key> keys,
            @Nullable Secret callbackSecret,
            List<Site> sites,
            @Nullable TenantPolicy policy) {}

    record Key(String clientId, List<String> scopes, ApiKeyToken token) {}

    record Site(String site, String baseUrl, String urlPattern) {}

    static BootstrapFile read(Path file) throws IOException {
        JsonNode root;
        try {
            root = MAPPER.readTree(Files.readString(file));
        } catch (JacksonException e) {
            // Without the cause: the parser's message may quote a key.
            throw new IllegalArgumentException("POSTONCE_BOOTSTRAP_FILE is not JSON; mend it and start again");
        }
        List<Tenant> tenants = new ArrayList<>();
        for (JsonNode tenant : root.path("tenants")) {
            tenants.add(tenantOf(tenant, "tenants/" + tenants.size()));
        }
        return new BootstrapFile(List.copyOf(tenants));
    }

    private static Tenant tenantOf(JsonNode node, String place) {
        List<Key> keys = new ArrayList<>();
        for (JsonNode key : node.path("keys")) {
            keys.add(keyOf(key, place + "/keys/" + keys.size()));
        }
        List<Site> sites = new ArrayList<>();
        for (JsonNode site : node.path("sites")) {
            String at = place + "/sites/" + sites.size();
            sites.add(new Site(text(site, "site", at), text(site, "base_url", at), text(site, "url_pattern", at)));
        }
        String tenantId = text(node, "tenant_id", place);
        if (!tenantId.matches("[a-z0-9][a-z0-9-]{0,31}")) {
            throw wrong(place + "/tenant_id", "must match [a-z0-9][a-z0-9-]{0,31}");
        }
        @Nullable String secret = node.path("callback_secret").asString(null);
        return new Tenant(
                tenantId,
                text(node, "name", place),
                text(node, "environment", place),
                rateOf(node, place),
                List.copyOf(keys),
                secret == null ? null : Secret.of(secret),
                List.copyOf(sites),
                node.has("policy") ? policyOf(node.path("policy"), place + "/policy") : null);
    }

    private static TenantPolicy policyOf(JsonNode node, String place) {
        Map<String, CheckLevel> levels = new LinkedHashMap<>();
        node.path("check_levels")
                .properties()
                .forEach(entry -> levels.put(
                        entry.getKey(),
                        CheckLevel.of(entry.getValue().asString(""))
                                .orElseThrow(() -> wrong(
                                        place + "/check_levels/" + entry.getKey(), "must be error, warning or off"))));
        return new TenantPolicy(
                choice(node, "duplicate_policy", place, DuplicatePolicy.class, DuplicatePolicy.ACCEPT),
                choice(node, "content_policy", place, ContentPolicy.class, ContentPolicy.REPLAY),
                levels);
    }

    private static <E extends Enum<E>> E choice(JsonNode node, String name, String place, Class<E> type, E otherwise) {
        if (!node.has(name)) {
            return otherwise;
        }
        String value = node.path(name).asString("");
        List<String> known = new ArrayList<>();
        for (E one : type.getEnumConstants()) {
            if (one.name().toLowerCase(Locale.ROOT).equals(value)) {
                return one;
            }
            known.add(one.name().toLowerCase(Locale.ROOT));
        }
        throw wrong(place + "/" + name, "must be " + String.join(" or ", known));
    }

    private static @Nullable Integer rateOf(JsonNode node, String place) {
        JsonNode rate = node.path("rate_per_second");
        if (rate.isMissingNode() || rate.isNull()) {
            return null;
        }
        if (!rate.isInt() || rate.intValue() < 1) {
            throw wrong(place + "/rate_per_second", "must be a whole number above 0");
        }
        return rate.intValue();
    }

    private static Key keyOf(JsonNode node, String place) {
        List<String> scopes = new ArrayList<>();
        for (JsonNode scope : node.path("scopes")) {
            if (!SCOPES.contains(scope.asString(""))) {
                throw wrong(place + "/scopes", "may hold submit, read and ops");
            }
            scopes.add(scope.asString(""));
        }
        Optional<ApiKeyToken> token = ApiKeyToken.parse(text(node, "token", place));
        return new Key(
                text(node, "client_id", place),
                List.copyOf(scopes),
                token.orElseThrow(() -> wrong(place + "/token", "is not an API key, or its checksum is wrong")));
    }

    private static String text(JsonNode node, String name, String place) {
        @Nullable String value = node.path(name).asString(null);
        if (value == null || value.isBlank()) {
            throw wrong(place + "/" + name, "is required");
        }
        return value;
    }

    private static IllegalArgumentException wrong(String place, String detail) {
        return new IllegalArgumentException(
                "POSTONCE_BOOTSTRAP_FILE: " + place + " " + detail + "; mend the file and start again");
    }
}
