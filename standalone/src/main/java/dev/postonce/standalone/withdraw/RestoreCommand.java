package dev.postonce.standalone.withdraw;

import dev.postonce.client.PostonceClient;
import dev.postonce.contract.EventJson;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ServiceOptions;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** {@code postonce restore}. */
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        description = "Revive an article that was withdrawn: index and platforms show it again. 恢复已撤回的文章。",
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:active, or it was so already 已恢复",
            "1:refused, or there is no such task 被拒绝或不存在",
            "2:wrong usage 用法错误",
            "4:the service does not answer 服务无响应"
        })
public final class RestoreCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Mixin
    private TaskName name;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why; kept in the audit. 原因")
    private @Nullable String reason;

    @Option(names = "--dry-run", description = "Show the task, change nothing. 只查看，不修改")
    private boolean dryRun;

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public RestoreCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        ObjectNode body = EventJson.mapper().createObjectNode();
        if (reason != null && !reason.isBlank()) {
            body.put("reason", reason);
        }
        try (PostonceClient client = service.client(common)) {
            return new StatusRun(
                            "restore",
                            body,
                            dryRun,
                            common.json(),
                            spec.commandLine().getOut(),
                            spec.commandLine().getErr())
                    .run(client, name);
        }
    }
}
