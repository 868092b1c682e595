package dev.postonce.standalone.ops;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code postonce keys …}. */
@Command(
        name = "keys",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "API keys and secrets of a tenant. A secret is printed once, when it is made. 管理 API 密钥与签名密钥，密钥只显示一次。",
            "A client may have two keys that work: rotate, give the new one to the client, revoke the old one. 轮换：先新建，再吊销旧密钥。"
        },
        subcommands = {
            KeysCommand.ListKeys.class,
            KeysCommand.Create.class,
            KeysCommand.Rotate.class,
            KeysCommand.Revoke.class,
            KeysCommand.CallbackSecret.class,
            IntakeSecretCommand.class
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {"0:done 成功", "1:refused 被拒绝", "2:wrong usage 用法错误", "4:the service does not answer 服务无响应"})
public final class KeysCommand {

    /** Every key of the tenant. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "List the tenant's keys. 列出密钥")
    static final class ListKeys extends OpsCommand implements Callable<Integer> {

        @Override
        public Integer call() throws InterruptedException {
            return ask(api -> api.get("/v1/keys"), ListKeys::print);
        }

        private static void print(JsonNode body, PrintWriter out) {
            out.printf("%-14s %-20s %-8s %-16s %-21s %s%n", "KEY", "CLIENT", "STATE", "SCOPES", "LAST USED", "RATE/S");
            for (JsonNode key : body.path("keys")) {
                out.printf(
                        "%-14s %-20s %-8s %-16s %-21s %s%n",
                        key.path("key_id").asString(),
                        key.path("client_id").asString(),
                        key.path("state").asString(),
                        scopes(key),
                        seconds(orDash(key.path("last_used_at"))),
                        orDash(key.path("rate_per_second")));
            }
        }

        /** Without what is below the second. */
        private static String seconds(String time) {
            int dot = time.indexOf('.');
            return dot < 0 ? time : time.substring(0, dot) + "Z";
        }
    }

    /** A key for a client. */
    @Command(name = "create", mixinStandardHelpOptions = true, description = "Make a key for a client. 新建密钥")
    static final class Create extends OpsCommand implements Callable<Integer> {

        @Parameters(paramLabel = "CLIENT", description = "Who will use it, such as cms. 客户端名称")
        private String client = "";

        @Option(
                names = "--scopes",
                paramLabel = "A,B",
                split = ",",
                required = true,
                description = "submit, read, ops. 权限")
        private List<String> scopes = List.of();

        @Option(
                names = "--rate",
                paramLabel = "N",
                description = "Requests a second and instance; default: the tenant's. 每秒请求数")
        private @Nullable Integer rate;

        @Option(names = "--dry-run", description = OpsCommand.DRY_RUN)
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            ObjectNode body = empty().put("client_id", client);
            scopes.forEach(body.putArray("scopes")::add);
            if (rate != null) {
                body.put("rate_per_second", rate);
            }
            return ask(api -> api.post("/v1/keys" + query(dryRun), body), KeysCommand::printIssued);
        }
    }

    /** A second key for the client of another. */
    @Command(
            name = "rotate",
            mixinStandardHelpOptions = true,
            description = "Make another key for the client of this one, which works on until it is revoked. 轮换密钥")
    static final class Rotate extends OpsCommand implements Callable<Integer> {

        @Parameters(paramLabel = "KEY_ID", description = "As keys list shows it. 密钥编号")
        private String keyId = "";

        @Option(names = "--dry-run", description = OpsCommand.DRY_RUN)
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            return ask(
                    api -> api.post("/v1/keys/" + segment(keyId) + ":rotate" + query(dryRun), empty()),
                    KeysCommand::printIssued);
        }
    }

    /** The end of a key. */
    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = "End a key; other instances follow within seconds. 吊销密钥")
    static final class Revoke extends OpsCommand implements Callable<Integer> {

        @Parameters(paramLabel = "KEY_ID", description = "As keys list shows it. 密钥编号")
        private String keyId = "";

        @Option(names = "--dry-run", description = OpsCommand.DRY_RUN)
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            return ask(
                    api -> api.post("/v1/keys/" + segment(keyId) + ":revoke" + query(dryRun), empty()),
                    (body, out) -> out.println(revoked(body, "key")));
        }
    }

    /** The secret that signs callbacks. */
    @Command(
            name = "callback-secret",
            mixinStandardHelpOptions = true,
            description = "Make a new secret that signs callbacks; the old one signs beside it for a while. 轮换回调签名密钥")
    static final class CallbackSecret extends OpsCommand implements Callable<Integer> {

        @Option(
                names = "--keep-old",
                paramLabel = "SECONDS",
                defaultValue = "86400",
                description = "How long the old secret signs too; default a day. 旧密钥继续签名的秒数")
        private int keepOldS;

        @Option(names = "--show", description = "Only show which secrets sign. 仅查看状态")
        private boolean show;

        @Option(names = "--dry-run", description = OpsCommand.DRY_RUN)
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            if (show) {
                return ask(api -> api.get("/v1/keys/callback-secret"), CallbackSecret::print);
            }
            ObjectNode body = empty().put("keep_old_s", keepOldS);
            return ask(api -> api.post("/v1/keys/callback-secret:rotate" + query(dryRun), body), CallbackSecret::print);
        }

        private static void print(JsonNode body, PrintWriter out) {
            if (body.has("callback_secret")) {
                out.println(body.path("callback_secret").asString());
                out.println(body.path("next").asString());
            } else if (body.path("dry_run").asBoolean(false)) {
                out.println("dry run: a new secret would be made 仅预演");
            }
            for (JsonNode secret : body.path("secrets")) {
                out.println(secret.path("state").asString() + ", signs until " + orDash(secret.path("signs_until")));
            }
        }
    }

    private static void printIssued(JsonNode body, PrintWriter out) {
        JsonNode key = body.path("key");
        if (body.path("dry_run").asBoolean(false)) {
            out.println("dry run: a key for " + key.path("client_id").asString() + " with " + scopes(key)
                    + " would be made 仅预演");
            return;
        }
        out.println(body.path("api_key").asString());
        out.println("key " + key.path("key_id").asString() + " of "
                + key.path("client_id").asString() + ", " + scopes(key) + ". "
                + body.path("next").asString() + " 密钥只显示这一次，请立即保存。");
    }

    private static String scopes(JsonNode key) {
        List<String> scopes = new ArrayList<>();
        key.path("scopes").forEach(scope -> scopes.add(scope.asString()));
        return String.join(",", scopes);
    }
}
