package dev.postonce.standalone.ops;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Secret;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import java.io.PrintWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** What every operator command takes; use as {@code @Mixin}. */
final class OpsOptions {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(names = "--url", paramLabel = "URL", description = "Address of ingest-service; default: the stack's. 服务地址")
    private @Nullable String url;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "API key with the scope ops; default $POSTONCE_API_KEY, else the development key. API 密钥")
    private @Nullable String key;

    OpsApi api() {
        return new OpsApi(url != null ? url : common.home().devKeys().apiUrl(), Secret.of(apiKey()));
    }

    private String apiKey() {
        if (key != null) {
            return key;
        }
        String fromEnvironment = System.getenv("POSTONCE_API_KEY");
        return fromEnvironment != null && !fromEnvironment.isEmpty()
                ? fromEnvironment
                : common.home().devKeys().apiKey().reveal();
    }

    /** One question to the service. */
    interface Question {
        OpsAnswer ask(OpsApi api) throws InterruptedException;
    }

    /**
     * Asks and prints.
     *
     * @param text prints an accepted answer for people
     * @return the command's exit code
     */
    int run(PrintWriter out, PrintWriter err, Question question, Consumer<JsonNode> text) throws InterruptedException {
        OpsAnswer answer;
        try {
            answer = question.ask(api());
        } catch (OpsApi.SilentException e) {
            err.println(e.getMessage());
            err.flush();
            return ExitCodes.NOT_RUNNING;
        }
        if (common.json()) {
            out.println(EventJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(answer.body()));
        } else if (answer.accepted()) {
            text.accept(answer.body());
        } else {
            err.println(answer.problem());
        }
        out.flush();
        err.flush();
        return answer.accepted() ? ExitCodes.OK : ExitCodes.FOUND;
    }
}
