package dev.postonce.standalone.ops;

import dev.postonce.contract.EventJson;
import java.io.PrintWriter;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postonce audit …}. */
@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = "What was refused, what operators did, and what came of it. 审计：被拒绝的请求、运维操作及其跟进",
        subcommands = {AuditCommand.ListEntries.class, AuditCommand.Resolve.class},
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {"0:done 成功", "1:refused 被拒绝", "2:wrong usage 用法错误", "4:the service does not answer 服务无响应"})
public final class AuditCommand {

    /** The newest entries. */
    @Command(
            name = "list",
            mixinStandardHelpOptions = true,
            description = "The newest conflicts, refusals, failures and operators' actions. 最近的冲突、拒绝、失败和运维操作")
    static final class ListEntries extends OpsCommand implements Callable<Integer> {

        @Option(names = "--open", description = "Only what nobody has followed up. 仅未跟进的")
        private boolean open;

        @Option(names = "--outcome", paramLabel = "X", description = "conflict, refused, failed, … 按结果筛选")
        private @Nullable String outcome;

        @Option(names = "--error-code", paramLabel = "X", description = "Such as slug_conflict. 按错误码筛选")
        private @Nullable String errorCode;

        @Option(names = "--limit", paramLabel = "N", defaultValue = "50", description = "1 to 200; default 50. 条数")
        private int limit;

        @Option(names = "--cursor", paramLabel = "C", description = "next_cursor of the page before. 分页游标")
        private @Nullable String cursor;

        @Override
        public Integer call() throws InterruptedException {
            String path = "/v1/audit?limit=" + limit + (open ? "&open=true" : "") + parameter("outcome", outcome)
                    + parameter("error_code", errorCode) + parameter("cursor", cursor);
            return ask(api -> api.get(path), ListEntries::print);
        }

        private static String parameter(String name, @Nullable String value) {
            return value == null ? "" : "&" + name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8);
        }

        private static void print(JsonNode body, PrintWriter out) {
            for (JsonNode entry : body.path("entries")) {
                String concerns = entry.path("external_id").isNull()
                        ? orDash(entry.path("group"))
                        : entry.path("external_id").asString();
                out.println(entry.path("id").asLong() + "  " + entry.path("at").asString() + "  "
                        + entry.path("outcome").asString() + "  " + orDash(entry.path("error_code")) + "  "
                        + entry.path("route").asString() + "  " + concerns + "  "
                        + orDash(entry.path("client_id")));
                if (!entry.path("follow_up").isNull()) {
                    out.println("    " + entry.path("follow_up").path("note").asString() + " ("
                            + orDash(entry.path("follow_up").path("client_id")) + ")");
                }
            }
            if (!body.path("next_cursor").isNull()) {
                out.println("more 更多: --cursor " + body.path("next_cursor").asString());
            }
        }
    }

    /** What came of an entry. */
    @Command(
            name = "resolve",
            mixinStandardHelpOptions = true,
            description = "Say what came of an entry; the first note counts. 为一条审计记录写跟进说明")
    static final class Resolve extends OpsCommand implements Callable<Integer> {

        @Parameters(paramLabel = "ID", description = "As audit list shows it. 记录编号")
        private long id;

        @Option(names = "--note", paramLabel = "TEXT", required = true, description = "What was done about it. 说明")
        private String note = "";

        @Option(names = "--dry-run", description = "Show the entry, write nothing. 只预演，不修改")
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            JsonNode body = EventJson.mapper().createObjectNode().put("note", note);
            return ask(api -> api.post("/v1/audit/" + id + ":resolve" + query(dryRun), body), Resolve::print);
        }

        private static void print(JsonNode body, PrintWriter out) {
            JsonNode entry = body.path("entry");
            String what = entry.path("id").asLong() + " "
                    + entry.path("outcome").asString() + " " + orDash(entry.path("error_code"));
            if (body.path("dry_run").asBoolean(false)) {
                out.println("dry run: the note would be written to " + what + " 仅预演");
            } else if (body.path("idempotent_replay").asBoolean(false)) {
                out.println(what + " was followed up before 之前已跟进: "
                        + entry.path("follow_up").path("note").asString());
            } else {
                out.println(what + " is followed up 已跟进");
            }
        }
    }
}
