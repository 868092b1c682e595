package dev.postonce.standalone.up;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.PostgresServer;
import dev.postonce.standalone.process.HomeLock;
import dev.postonce.standalone.process.Orphans;
import dev.postonce.standalone.process.ProcessId;
import dev.postonce.standalone.process.Signals;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code postonce down}. */
@Command(
        name = "down",
        mixinStandardHelpOptions = true,
        description = {
            "Stop what runs on this home: services, then Kafka, then PostgreSQL. Data stays.",
            "停止本目录上运行的全部进程；数据保留。"
        },
        footer = {"", "Exit codes: 0 nothing runs any more, 6 something does not end."})
public final class DownCommand implements Callable<Integer> {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() {
        StandaloneHome home = common.home();
        if (!Files.isDirectory(home.root())) {
            say("nothing runs: " + home.root() + " does not exist 未运行");
            return ExitCodes.OK;
        }
        Optional<ProcessId> holder = HomeLock.holder(home);
        if (holder.isPresent()) {
            Signals.send(holder.get().pid(), "TERM");
            if (!Signals.awaitGone(holder.get().pid(), PATIENCE)) {
                say("process " + holder.get().pid() + " is still stopping; see " + home.logs());
                return ExitCodes.ERROR;
            }
        }
        return endWhatIsLeft(home, holder.isPresent());
    }

    /** Children of a supervisor that was killed go on by themselves. */
    private int endWhatIsLeft(StandaloneHome home, boolean stopped) {
        Optional<HomeLock> lock = HomeLock.tryLock(home);
        if (lock.isEmpty()) {
            say("another up has just begun on " + home.root());
            return ExitCodes.ALREADY_RUNNING;
        }
        try (HomeLock held = lock.get()) {
            List<String> orphans = Orphans.endAll(home);
            PostgresServer.endOrphans(home);
            orphans.forEach(orphan -> say("ended " + orphan));
            say(stopped || !orphans.isEmpty() ? "stopped 已停止" : "nothing runs any more 未运行");
            return ExitCodes.OK;
        }
    }

    private void say(String line) {
        if (spec == null) {
            throw new IllegalStateException("picocli injects the spec");
        }
        spec.commandLine().getOut().println(common.json() ? EventJson.write(Map.of("progress", line)) : line);
        spec.commandLine().getOut().flush();
    }
}
