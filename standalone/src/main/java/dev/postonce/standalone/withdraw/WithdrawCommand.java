package dev.postonce.standalone.withdraw;

import dev.postonce.client.PostonceClient;
import dev.postonce.contract.EventJson;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ServiceOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code postonce withdraw}. */
@Command(
        name = "withdraw",
        mixinStandardHelpOptions = true,
        description = {
            "Take an article back: out of the index, and with --public gone off the platforms. Nothing is deleted. 撤回文章（不删除）。",
            "Doing it again changes nothing; 'postonce restore' revives it."
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:withdrawn, or it was so already 已撤回",
            "1:refused, or there is no such task 被拒绝或不存在",
            "2:wrong usage 用法错误",
            "4:the service does not answer 服务无响应"
        })
public final class WithdrawCommand implements Callable<Integer> {

    /** What the task is afterwards. */
    enum Status {
        DRAFT,
        ARCHIVED
    }

    /** What becomes of posts that are out. */
    enum Public {
        KEEP,
        GONE
    }

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private TaskName name;

    @Option(
            names = "--status",
            required = true,
            paramLabel = "draft|archived",
            description = "What it is afterwards. 撤回后的状态")
    private Status status;

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why; kept in the audit. 原因")
    private String reason;

    @Option(
            names = "--public",
            paramLabel = "keep|gone",
            defaultValue = "gone",
            description = "Posts that are out: keep them, or take them back (default). 已发布内容：保留或撤下")
    private Public posts;

    @Option(names = "--dry-run", description = "Show the task, change nothing. 只查看，不修改")
    private boolean dryRun;

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public WithdrawCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (reason.isBlank()) {
            throw new CommandLine.ParameterException(spec.commandLine(), "--reason must say something");
        }
        ObjectNode body = EventJson.mapper()
                .createObjectNode()
                .put("status", wireName(status))
                .put("reason", reason)
                .put("public", wireName(posts));
        try (PostonceClient client = service.client(common)) {
            return new StatusRun(
                            "withdraw",
                            body,
                            dryRun,
                            common.json(),
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr())
                    .run(client, name);
        }
    }

    private static String wireName(Enum<?> value) {
        return value.name().toLowerCase(java.util.Locale.ROOT);
    }
}
