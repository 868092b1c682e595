package dev.postonce.standalone.withdraw;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.SubmitResult;
import dev.postonce.client.SubmitResult.Created;
import dev.postonce.client.SubmitResult.GaveUp;
import dev.postonce.client.SubmitResult.Refused;
import dev.postonce.client.SubmitResult.Replayed;
import dev.postonce.contract.EventJson;
import dev.postonce.runtime.Ids;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.withdraw.TaskName.Found;
import java.io.PrintWriter;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds a task, changes its status for the version that was found, and tells what came of it.
 *
 * @param action {@code withdraw} or {@code restore}
 * @param body what is sent
 */
record StatusRun(String action, ObjectNode body, boolean dryRun, boolean json, PrintWriter out, PrintWriter err) {

    int run(PostonceClient client, TaskName name) throws InterruptedException {
        Found found = name.find(client);
        if (found instanceof Found.None none) {
            err.println("postonce: " + none.why());
            return ExitCodes.FOUND;
        } else if (found instanceof Found.NoAnswer noAnswer) {
            err.println("postonce: the service does not answer: " + noAnswer.why());
            return ExitCodes.NOT_RUNNING;
        }
        JsonNode task = ((Found.One) found).task();
        if (dryRun) {
            tell(task, "would " + action, true);
            return ExitCodes.OK;
        }
        // Meant for what was found: a change that came in between is not run over.
        SubmitResult result = client.changeStatus(
                task.path("external_id").asString(),
                action,
                body.toString(),
                task.path("version").asLong(),
                "cli-" + Ids.random().next());
        if (result instanceof Created done) {
            tell(done.resource(), "done", false);
            return ExitCodes.OK;
        } else if (result instanceof Replayed replayed) {
            tell(replayed.resource(), "was so already 已是该状态", false);
            return ExitCodes.OK;
        } else if (result instanceof Refused refused) {
            boolean moved = refused.problem().errorCode().equals("version_conflict");
            err.println("postonce: " + refused.problem().describe()
                    + (moved ? "; somebody changed it meanwhile: look at it, and run this again" : ""));
            return ExitCodes.FOUND;
        }
        err.println("postonce: the service does not answer: "
                + ((GaveUp) result).last().describe() + "; run this again, nothing is done twice");
        return ExitCodes.NOT_RUNNING;
    }

    private void tell(JsonNode task, String what, boolean dry) {
        if (json) {
            ObjectNode answer = EventJson.mapper().createObjectNode().put("dry_run", dry);
            answer.set("task", task);
            if (dry) {
                answer.set(action, body);
            }
            out.println(answer);
            return;
        }
        out.printf(
                Locale.ROOT,
                "%s: %s  %s, version %d%n",
                what,
                task.path("external_id").asString(),
                task.path("status").asString(),
                task.path("version").asLong());
        JsonNode withdrawal = task.path("withdrawal");
        if (withdrawal.isObject()) {
            out.printf(
                    Locale.ROOT,
                    "  by %s at %s, public %s: %s%n",
                    withdrawal.path("by").asString(""),
                    withdrawal.path("at").asString(""),
                    withdrawal.path("public").asString(""),
                    withdrawal.path("reason").asString(""));
        }
        for (JsonNode target : task.path("targets")) {
            out.printf(
                    Locale.ROOT,
                    "  %-10s %s %s%n",
                    target.path("platform").asString(),
                    target.path("state").asString(),
                    target.path("platform_url").asString(""));
        }
        out.println(dry ? "dry run: nothing was sent. 仅检查，未发送。" : "posts and index follow. 各平台与索引随后更新。");
    }
}
