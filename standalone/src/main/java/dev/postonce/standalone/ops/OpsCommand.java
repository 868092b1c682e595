package dev.postonce.standalone.ops;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.ops.OpsOptions.Question;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A command that asks one question of ingest-service. */
abstract class OpsCommand {

    static final String DRY_RUN = "Say what would be done, change nothing. 只预演，不修改";

    @Spec
    private @Nullable CommandSpec spec;

    @Mixin
    private OpsOptions options = new OpsOptions();

    final int ask(Question question, BiConsumer<JsonNode, PrintWriter> text) throws InterruptedException {
        if (spec == null) {
            throw new IllegalStateException("picocli injects the spec");
        }
        PrintWriter out = spec.commandLine().getOut();
        return options.run(out, spec.commandLine().getErr(), question, body -> text.accept(body, out));
    }

    static String query(boolean dryRun) {
        return dryRun ? "?dry_run=true" : "";
    }

    static String segment(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }

    static ObjectNode empty() {
        return EventJson.mapper().createObjectNode();
    }

    /** Of an answer that revokes what its field names, now or before. */
    static String revoked(JsonNode body, String field) {
        JsonNode ended = body.path(field);
        String name = ended.path("key_id").asString() + " of "
                + ended.path("client_id").asString();
        boolean before = body.path("idempotent_replay").asBoolean(false);
        return body.path("dry_run").asBoolean(false)
                ? "dry run: " + name + (before ? " is revoked already 已吊销" : " would be revoked 将被吊销")
                : name + (before ? " was revoked before 之前已吊销" : " is revoked 已吊销");
    }

    static String orDash(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? "-" : value.asString();
    }
}
