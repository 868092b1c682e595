package dev.postonce.standalone.status;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.StandaloneHome;
import java.io.PrintWriter;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code postonce status}. */
@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "Show the processes, their health, and how many tasks, targets, outbox rows and parked records there are.",
            "显示各进程的状态，以及任务、目标、发件箱和搁置记录的数量。"
        },
        footer = {"", "Exit codes: 0 all healthy, 1 something is down or sick, 4 nothing runs."})
public final class StatusCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        StandaloneHome home = common.home();
        PrintWriter out = output();
        if (!home.isSetUp()) {
            say(out, "no stack was ever started on " + home.root() + ": postonce up starts one. 尚未启动过");
            return ExitCodes.NOT_RUNNING;
        }
        StatusReport report = StatusReport.of(home);
        if (common.json()) {
            out.println(EventJson.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(report));
        } else {
            StatusText.lines(report).forEach(out::println);
        }
        out.flush();
        if (!report.runs()) {
            return ExitCodes.NOT_RUNNING;
        }
        return report.healthy() ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private void say(PrintWriter out, String line) {
        out.println(common.json() ? EventJson.write(Map.of("progress", line)) : line);
        out.flush();
    }

    private PrintWriter output() {
        if (spec == null) {
            throw new IllegalStateException("picocli injects the spec");
        }
        return spec.commandLine().getOut();
    }
}
