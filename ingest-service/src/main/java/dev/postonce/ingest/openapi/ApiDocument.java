package dev.postonce.ingest.openapi;

import dev.postonce.contract.Platform;
import dev.postonce.contract.TargetState;
import dev.postonce.ingest.check.FindingKind;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.ErrorCode;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * OpenAPI 3.1 of the routes that run. Error codes, platforms, states and findings are the code's own; what a route is
 * for, and what bodies look like, is told by two resources beside it, and tests hold those to the code.
 */
final class ApiDocument {

    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final ObjectNode operations = Yaml.read("operations.yaml");
    private final ObjectNode components = Yaml.read("components.yaml");
    private final Duration keyRetention;

    ApiDocument(Duration keyRetention) {
        this.keyRetention = keyRetention;
    }

    ObjectNode of(Collection<Route> routes) {
        SortedSet<Route> sorted = new TreeSet<>(routes);
        ObjectNode document = MAPPER.createObjectNode().put("openapi", "3.1.0");
        document.set("info", info());
        document.putArray("servers").addObject().put("url", "/").put("description", "This service. 本服务");
        document.putArray("security").addObject().putArray("api_key");
        ArrayNode tags = document.putArray("tags");
        tag(tags, "tasks", "Articles, and where they are out. 文章与发布状态");
        tag(tags, "groups", "Groups of the index. 群组索引");
        tag(tags, "sites", "Sites and their sitemaps. 站点与站点地图");
        tag(tags, "audit", "Who asked for what, and what became of it. 审计与复盘");
        tag(tags, "keys", "API keys and callback secrets. 密钥");
        tag(tags, "other", "Everything else. 其他");
        ObjectNode paths = document.putObject("paths");
        OperationWriter writer = new OperationWriter(components, keyRetention);
        for (Route route : sorted) {
            JsonNode told = operations.path(route.name());
            String path = told.path("path").asString(route.path());
            ObjectNode item = paths.has(path) ? (ObjectNode) paths.get(path) : paths.putObject(path);
            item.set(route.method(), writer.operation(new Route(route.method(), path), told));
        }
        document.set("components", components(paths));
        document.set("x-error-codes", errorCodes());
        return document;
    }

    private static ObjectNode info() {
        ObjectNode info = MAPPER.createObjectNode()
                .put("title", "Postonce intake")
                .put("version", "1")
                .put(
                        "description",
                        "Submit as often as you like, in any order, through any failover; the outside world sees it once."
                                + " 提交多次，只发布一次。\n\nErrors are problems (RFC 9457) with error_code and retryable; clients obey"
                                + " retryable and Retry-After, keep the Idempotency-Key over all tries, and never repeat another 4xx."
                                + " What each error_code means and what to do about it stands in x-error-codes, in English and"
                                + " Chinese.");
        return info;
    }

    private static void tag(ArrayNode tags, String name, String description) {
        tags.addObject().put("name", name).put("description", description);
    }

    private ObjectNode components(ObjectNode paths) {
        ObjectNode all = MAPPER.createObjectNode();
        ObjectNode schemas = ((ObjectNode) components.get("schemas")).deepCopy();
        fill(schemas, "Platform", Arrays.stream(Platform.values()).map(Platform::wireName));
        fill(schemas, "TargetState", Arrays.stream(TargetState.values()).map(TargetState::wireName));
        fill(schemas, "ErrorCode", Arrays.stream(ErrorCode.values()).map(ErrorCode::wireName));
        fill(schemas, "FindingCode", Arrays.stream(FindingKind.values()).map(FindingKind::code));
        all.set("schemas", usedBy(paths, schemas));
        ObjectNode scheme = all.putObject("securitySchemes").putObject("api_key");
        scheme.put("type", "http").put("scheme", "bearer").put("bearerFormat", "pk_<env>_<id>_<hex>_<crc>");
        scheme.put(
                "description",
                "An API key with the scope that the operation names: "
                        + String.join(
                                ", ",
                                Arrays.stream(Scope.values())
                                        .map(Scope::wireName)
                                        .toList()) + ". API 密钥");
        return all;
    }

    /** Those that a route needs, and those that they need. */
    private static ObjectNode usedBy(ObjectNode paths, ObjectNode schemas) {
        ObjectNode used = MAPPER.createObjectNode();
        int before;
        do {
            before = used.size();
            String text = paths.toString() + used;
            for (String name : schemas.propertyNames()) {
                if (text.contains("\"#/components/schemas/" + name + "\"")) {
                    used.set(name, schemas.get(name));
                }
            }
        } while (used.size() > before);
        return used;
    }

    private static void fill(ObjectNode schemas, String name, Stream<String> values) {
        ArrayNode list = ((ObjectNode) schemas.get(name)).putArray("enum");
        values.sorted().forEach(list::add);
    }

    private ArrayNode errorCodes() {
        ArrayNode list = MAPPER.createArrayNode();
        for (ErrorCode code : ErrorCode.values()) {
            list.addObject()
                    .put("error_code", code.wireName())
                    .put("status", code.status())
                    .put("retryable", code.retryable())
                    .put("title", code.title())
                    .put("title_zh", code.titleZh())
                    .put("next", code.next())
                    .put(
                            "next_zh",
                            components.path("next_zh").path(code.wireName()).asString(""));
        }
        return list;
    }

    /** The committed form. */
    static String text(ObjectNode document) {
        return document.toPrettyString().replace("\r\n", "\n") + "\n";
    }
}
