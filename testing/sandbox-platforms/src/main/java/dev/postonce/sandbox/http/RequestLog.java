package dev.postonce.sandbox.http;

import dev.postonce.sandbox.fault.FaultDecision;
import dev.postonce.sandbox.journal.Journal;
import dev.postonce.sandbox.journal.JournalRef;
import dev.postonce.sandbox.journal.Json;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes each request into the journal, and counts. Safe for use by several threads. */
public final class RequestLog {

    /** Never the authorization: the journal holds no secret. */
    private static final List<String> KEPT_HEADERS = List.of(
            "content-type",
            "user-agent",
            "idempotency-key",
            "x-request-id",
            "traceparent",
            "webhook-id",
            "webhook-timestamp",
            "webhook-signature");

    private static final int HEADER_CHARACTERS_MAX = 4096;
    private static final int COUNTED_NAMES_MAX = 10_000;

    private final Journal journal;
    private final InstantSource clock;
    private final Map<String, Long> counts = new TreeMap<>();

    public RequestLog(Journal journal, InstantSource clock) {
        this.journal = journal;
        this.clock = clock;
    }

    JournalRef append(
            String platform, SandboxRequest request, FaultDecision fault, int status, @Nullable ObjectNode effect) {
        ObjectNode line = Json.object();
        line.put("at", clock.instant().toString());
        line.put("platform", platform);
        line.put("account", request.account());
        line.put("method", request.method());
        line.put("path", request.path());
        if (!request.rawQuery().isEmpty()) {
            line.put("query", request.rawQuery());
        }
        line.put("fault", fault.label());
        line.put("status", status);
        ObjectNode headers = line.putObject("headers");
        for (String name : KEPT_HEADERS) {
            String value = request.header(name);
            if (value != null) {
                headers.put(name, value.substring(0, Math.min(value.length(), HEADER_CHARACTERS_MAX)));
            }
        }
        putBody(line, request.body());
        if (effect != null) {
            line.set("effect", effect);
        }
        JournalRef ref = journal.append(line);
        count(line);
        return ref;
    }

    /** Takes back into memory what the journal holds. Called once, before any request. */
    public void replay(List<StandIn> standIns) {
        journal.replay((line, ref) -> {
            count(line);
            String platform = line.path("platform").asString("");
            for (StandIn standIn : standIns) {
                if (standIn.platform().equals(platform)) {
                    standIn.replay(line, ref);
                }
            }
        });
    }

    private static void putBody(ObjectNode line, byte[] body) {
        if (body.length == 0) {
            return;
        }
        try {
            line.put(
                    "body",
                    StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(body))
                            .toString());
        } catch (CharacterCodingException e) {
            line.put("body_base64", Base64.getEncoder().encodeToString(body));
        }
    }

    synchronized void count(JsonNode line) {
        String name = String.join(
                " ",
                line.path("platform").asString(""),
                line.path("account").asString(""),
                line.path("method").asString(""),
                line.path("status").asString(""),
                line.path("fault").asString(""));
        if (counts.size() < COUNTED_NAMES_MAX || counts.containsKey(name)) {
            counts.merge(name, 1L, Long::sum);
        }
    }

    /** Requests by {@code platform account method status fault}. */
    public synchronized Map<String, Long> counts() {
        return new TreeMap<>(counts);
    }

    public JsonNode line(JournalRef ref) {
        return journal.read(ref);
    }

    /** Forgets everything, for tests. */
    public synchronized void clear() {
        counts.clear();
        journal.clear();
    }
}
