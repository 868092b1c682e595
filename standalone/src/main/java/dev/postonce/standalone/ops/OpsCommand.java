package dev.postonce.standalone.ops;

import dev.postonce.standalone.ops.OpsOptions.Question;
import java.io.PrintWriter;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** A command that asks one question of ingest-service. */
abstract class OpsCommand {

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

    static String orDash(JsonNode value) {
        return value.isNull() || value.isMissingNode() ? "-" : value.asString();
    }
}
