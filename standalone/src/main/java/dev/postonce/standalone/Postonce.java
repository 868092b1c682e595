package dev.postonce.standalone;

import dev.postonce.standalone.check.CheckCommand;
import dev.postonce.standalone.demo.DemoCommand;
import dev.postonce.standalone.ops.AuditCommand;
import dev.postonce.standalone.ops.KeysCommand;
import dev.postonce.standalone.review.ReviewCommand;
import dev.postonce.standalone.status.StatusCommand;
import dev.postonce.standalone.submit.SubmitCommand;
import dev.postonce.standalone.up.AlreadyRunningException;
import dev.postonce.standalone.up.DownCommand;
import dev.postonce.standalone.up.PrepareCommand;
import dev.postonce.standalone.up.StartFailedException;
import dev.postonce.standalone.up.UpCommand;
import dev.postonce.standalone.verify.VerifyCommand;
import dev.postonce.standalone.withdraw.RestoreCommand;
import dev.postonce.standalone.withdraw.WithdrawCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;

/** The {@code postonce} command line. */
@Command(
        name = "postonce",
        description = "Submit as often as you like; the outside world sees it once. 提交多次，只发布一次。",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            UpCommand.class,
            DownCommand.class,
            PrepareCommand.class,
            StatusCommand.class,
            DemoCommand.class,
            SubmitCommand.class,
            CheckCommand.class,
            VerifyCommand.class,
            WithdrawCommand.class,
            RestoreCommand.class,
            ReviewCommand.class,
            KeysCommand.class,
            AuditCommand.class,
            CommandLine.HelpCommand.class
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:done 成功",
            "1:ran, and found something wrong 发现问题",
            "2:wrong usage 用法错误",
            "3:another up holds this home 已在运行",
            "4:the stack does not run or does not answer 未运行",
            "5:the stack did not start 启动失败",
            "6:another error 其他错误"
        })
public final class Postonce {

    private Postonce() {}

    public static void main(String[] arguments) {
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Postonce())
                .setExecutionExceptionHandler(Postonce::explain)
                .setCaseInsensitiveEnumValuesAllowed(true);
    }

    private static int explain(Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
        command.getErr().println("postonce: " + messageOf(failure));
        if (System.getenv("POSTONCE_DEBUG") != null) {
            failure.printStackTrace(command.getErr());
        }
        if (failure instanceof AlreadyRunningException) {
            return ExitCodes.ALREADY_RUNNING;
        }
        return failure instanceof StartFailedException ? ExitCodes.START_FAILED : ExitCodes.ERROR;
    }

    private static String messageOf(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.toString() : message;
    }
}
