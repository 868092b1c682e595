package dev.postonce.standalone.ops;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Secret;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.ServiceOptions;
import java.io.PrintWriter;
import java.util.function.Consumer;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;

/** What every operator command takes; use as {@code @Mixin}. */
final class OpsOptions {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Mixin
    private ServiceOptions service = new ServiceOptions();

    /** The routes need the scope ops. */
    OpsApi api() {
        return new OpsApi(service.address(common), Secret.of(service.apiKey(common)));
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
