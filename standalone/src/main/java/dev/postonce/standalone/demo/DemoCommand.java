package dev.postonce.standalone.demo;

import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.Stacks;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code postonce demo}. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        description = {
            "Submit the sample three times over while answers are lost and processes are killed, then compare everything.",
            "Starts the stack if it does not run, and leaves it as it was. 提交三遍、吞应答、杀进程，再逐项核对。"
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:each post is out once, and verify is clean 每篇只发布一次",
            "1:something did not come out as it should 结果不符合预期",
            "5:the stack did not start 启动失败"
        })
public final class DemoCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1111",
            description = "Which answers are swallowed; default 1111. 故障种子")
    private long seed;

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public DemoCommand() {}

    @Override
    public Integer call() throws InterruptedException, SQLException {
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Consumer<String> progress = line -> {
            err.println("demo: " + line);
            err.flush();
        };
        Phases phases = new Phases();
        phases.begin("start 启动");
        DemoReport report;
        try (Stack stack = Stacks.startOrAttach(common.home(), progress::accept)) {
            progress.accept(stack.isOwned() ? "the stack is up" : "the stack was up already, and stays up");
            report = new DemoRun(stack, seed, phases, progress).run();
            phases.begin("stop 停止");
        }
        phases.end();
        if (common.json()) {
            out.println(DemoTable.json(report, phases.took()).toPrettyString());
        } else {
            DemoTable table = new DemoTable(report, out);
            table.print();
            table.times(phases.took());
        }
        return report.isGood() ? ExitCodes.OK : ExitCodes.FOUND;
    }
}
