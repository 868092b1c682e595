package dev.postonce.sandbox.fault;

import dev.postonce.sandbox.journal.Json;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The plan as users write it. A name that nothing reads would be a fault that never comes, so it is refused. */
public final class FaultPlanJson {

    private static final Set<String> SCALARS =
            Set.of("delay_ms", "delay_when", "retry_after_s", "status_5xx", "status_5xx_when", "on");

    private FaultPlanJson() {}

    /**
     * Reads a plan.
     *
     * @throws IllegalArgumentException naming what is wrong
     */
    public static FaultPlan read(JsonNode json, Set<String> platformNames) {
        require(json.isObject(), "the fault plan is a JSON object with seed and platforms");
        refuseOthers(json, Set.of("seed", "platforms"), "the fault plan");
        Map<String, FaultSettings> platforms = new LinkedHashMap<>();
        JsonNode settings = json.path("platforms");
        require(settings.isObject() || settings.isMissingNode(), "platforms is a JSON object");
        for (Map.Entry<String, JsonNode> platform : settings.properties()) {
            require(platformNames.contains(platform.getKey()), "there is no platform " + platform.getKey());
            platforms.put(platform.getKey(), settings(platform.getKey(), platform.getValue()));
        }
        return new FaultPlan(json.path("seed").asLong(0), platforms);
    }

    private static FaultSettings settings(String platform, JsonNode json) {
        require(json.isObject(), "the faults of " + platform + " are a JSON object");
        Set<String> known = new TreeSet<>(SCALARS);
        Map<FaultKind, Chance> chances = new EnumMap<>(FaultKind.class);
        for (FaultKind kind : FaultKind.values()) {
            known.add(kind.key() + "_rate");
            known.add(kind.key() + "_next");
            Chance chance = new Chance(
                    number(json, kind.key() + "_rate", 0).doubleValue(),
                    number(json, kind.key() + "_next", 0).intValue());
            if (!chance.equals(Chance.NEVER)) {
                chances.put(kind, chance);
            }
        }
        refuseOthers(json, known, "the faults of " + platform);
        boolean delayBefore = oneOf(json, "delay_when", "after", "before").equals("before");
        boolean errorBefore = oneOf(json, "status_5xx_when", "before", "after").equals("before");
        boolean all = oneOf(json, "on", "writes", "all").equals("all");
        Integer retryAfterS = json.hasNonNull("retry_after_s")
                ? (Integer) number(json, "retry_after_s", 0).intValue()
                : null;
        return new FaultSettings(
                chances,
                number(json, "delay_ms", 0).intValue(),
                delayBefore,
                retryAfterS,
                number(json, "status_5xx", 503).intValue(),
                errorBefore,
                all);
    }

    public static ObjectNode write(FaultPlan plan) {
        ObjectNode json = Json.object();
        json.put("seed", plan.seed());
        ObjectNode platforms = json.putObject("platforms");
        plan.platforms().forEach((name, settings) -> platforms.set(name, write(settings)));
        return json;
    }

    private static ObjectNode write(FaultSettings settings) {
        ObjectNode json = Json.object();
        for (FaultKind kind : FaultKind.values()) {
            Chance chance = settings.chance(kind);
            if (!chance.equals(Chance.NEVER)) {
                json.put(kind.key() + "_rate", chance.rate());
                json.put(kind.key() + "_next", chance.next());
            }
        }
        json.put("delay_ms", settings.delayMs());
        json.put("delay_when", settings.delayBefore() ? "before" : "after");
        if (settings.retryAfterS() != null) {
            json.put("retry_after_s", settings.retryAfterS());
        }
        json.put("status_5xx", settings.serverErrorStatus());
        json.put("status_5xx_when", settings.serverErrorBefore() ? "before" : "after");
        json.put("on", settings.allRequests() ? "all" : "writes");
        return json;
    }

    private static Number number(JsonNode json, String name, int absent) {
        JsonNode value = json.get(name);
        if (value == null || value.isNull()) {
            return absent;
        }
        require(value.isNumber(), name + " is a number");
        return value.numberValue();
    }

    private static String oneOf(JsonNode json, String name, String absent, String other) {
        @Nullable String value = Json.text(json, name);
        require(value == null || value.equals(absent) || value.equals(other), name + " is " + absent + " or " + other);
        return value == null ? absent : value;
    }

    private static void refuseOthers(JsonNode json, Set<String> known, String where) {
        for (Map.Entry<String, JsonNode> member : json.properties()) {
            require(known.contains(member.getKey()), where + " know no " + member.getKey());
        }
    }

    private static void require(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }
}
