package dev.postonce.standalone.ops;

import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code postonce keys intake-secret …}. */
@Command(
        name = "intake-secret",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        description = {
            "Secrets that sign records of the intake topic. One is printed once, when it is made. 管理 Kafka 提交密钥，只显示一次。",
            "To change one: create the next, give it to the client, revoke the old one. 轮换：先新建，再吊销旧密钥。"
        },
        subcommands = {
            IntakeSecretCommand.ListSecrets.class,
            IntakeSecretCommand.Create.class,
            IntakeSecretCommand.Revoke.class
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {"0:done 成功", "1:refused 被拒绝", "2:wrong usage 用法错误", "4:the service does not answer 服务无响应"})
public final class IntakeSecretCommand {

    private static final String ROUTE = "/v1/intake-secrets";

    /** Every one of the tenant. */
    @Command(name = "list", mixinStandardHelpOptions = true, description = "List the tenant's intake secrets. 列出密钥状态")
    static final class ListSecrets extends OpsCommand implements Callable<Integer> {

        @Override
        public Integer call() throws InterruptedException {
            return ask(api -> api.get(ROUTE), ListSecrets::print);
        }

        private static void print(JsonNode body, PrintWriter out) {
            out.printf("%-20s %-20s %-8s %s%n", "KEY", "CLIENT", "STATE", "CREATED");
            for (JsonNode secret : body.path("secrets")) {
                out.printf(
                        "%-20s %-20s %-8s %s%n",
                        secret.path("key_id").asString(),
                        secret.path("client_id").asString(),
                        secret.path("state").asString(),
                        orDash(secret.path("created_at")));
            }
        }
    }

    /** One for a client. */
    @Command(name = "create", mixinStandardHelpOptions = true, description = "Make a secret for a client. 新建密钥")
    static final class Create extends OpsCommand implements Callable<Integer> {

        @Parameters(paramLabel = "CLIENT", description = "Who will sign with it, such as cms. 客户端名称")
        private String client = "";

        @Option(names = "--dry-run", description = OpsCommand.DRY_RUN)
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            ObjectNode body = empty().put("client_id", client);
            return ask(api -> api.post(ROUTE + query(dryRun), body), Create::print);
        }

        private static void print(JsonNode body, PrintWriter out) {
            JsonNode secret = body.path("secret");
            String client = secret.path("client_id").asString();
            if (body.path("dry_run").asBoolean(false)) {
                out.println("dry run: a secret for " + client + " would be made 仅预演");
                return;
            }
            out.println(body.path("intake_secret").asString());
            out.println("postonce-key-id " + secret.path("key_id").asString() + " of " + client + ". "
                    + body.path("next").asString() + " 密钥只显示这一次，请立即保存。");
        }
    }

    /** The end of one. */
    @Command(
            name = "revoke",
            mixinStandardHelpOptions = true,
            description = "End a secret; other instances follow within seconds. 吊销密钥")
    static final class Revoke extends OpsCommand implements Callable<Integer> {

        @Parameters(paramLabel = "KEY_ID", description = "As intake-secret list shows it. 密钥编号")
        private String keyId = "";

        @Option(names = "--dry-run", description = OpsCommand.DRY_RUN)
        private boolean dryRun;

        @Override
        public Integer call() throws InterruptedException {
            return ask(
                    api -> api.post(ROUTE + "/" + segment(keyId) + ":revoke" + query(dryRun), empty()),
                    (body, out) -> out.println(revoked(body, "secret")));
        }
    }
}
