package dev.postonce.standalone.up;

import dev.postonce.contract.EventJson;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code postonce up}. */
@Command(
        name = "up",
        mixinStandardHelpOptions = true,
        description = {
            "Start everything on this machine: PostgreSQL, Kafka, the four services and a sandbox of platforms.",
            "一键启动：PostgreSQL、Kafka、四个服务和沙箱平台。"
        },
        footer = {
            "",
            "Runs in the foreground until Ctrl-C; loopback only. Keys: DIR/dev-keys.json, logs: DIR/logs.",
            "Exit codes: 0 stopped in order, 3 already running, 5 did not start.",
            "前台运行，Ctrl-C 停止；仅监听本机。"
        })
public final class UpCommand implements Callable<Integer> {

    @Mixin
    private CommonOptions common = new CommonOptions();

    @Option(
            names = "--port-base",
            paramLabel = "N",
            description = "Ports from N on instead of the usual ones; auto = any that are free."
                    + " Also $POSTONCE_PORT_BASE. 起始端口")
    private @Nullable String portBase;

    @Option(names = "--detach", description = "Return when healthy and leave it running; postonce down ends it. 后台运行")
    private boolean detach;

    @Option(
            names = "--infra",
            description = "Only PostgreSQL and Kafka, for services that you run yourself. 仅启动 PostgreSQL 和 Kafka")
    private boolean infraOnly;

    @Option(
            names = "--second",
            paramLabel = "PART",
            split = ",",
            description = "Run a second process of these beside the first: ingest, relay, index, dispatcher;"
                    + " its port is 100 higher. 再启动一个实例")
    private Set<Part> second = EnumSet.noneOf(Part.class);

    @Spec
    private @Nullable CommandSpec spec;

    @Override
    public Integer call() throws InterruptedException {
        StandaloneHome home = common.home();
        PrintWriter out = output();
        second.remove(Part.SANDBOX); // its journal has one writer
        try {
            if (detach) {
                return new DetachedUp(home, arguments(home), line -> say(out, line)).run();
            }
            long begun = System.nanoTime();
            Stack stack = StackAccess.start(home, ports(), services(), line -> say(out, line));
            long seconds = Math.round((System.nanoTime() - begun) / 1e9);
            announce(stack, seconds, out);
            DetachedUp.markReady(home);
            new CountDownLatch(1).await(); // the shutdown hook does the rest
            return ExitCodes.OK;
        } catch (AlreadyRunningException e) {
            return refuse(e, ExitCodes.ALREADY_RUNNING);
        } catch (StartFailedException e) {
            return refuse(e, ExitCodes.START_FAILED);
        }
    }

    private List<String> arguments(StandaloneHome home) {
        List<String> arguments =
                new ArrayList<>(List.of("up", "--home", home.root().toString()));
        if (portBase != null) {
            arguments.addAll(List.of("--port-base", portBase));
        }
        if (infraOnly) {
            arguments.add("--infra");
        }
        second.forEach(part -> arguments.add("--second=" + part.label()));
        return arguments;
    }

    private List<Instance> services() {
        if (infraOnly) {
            return List.of();
        }
        List<Instance> services = new ArrayList<>();
        for (Part part : Part.services()) {
            services.add(Instance.first(part));
            if (second.contains(part)) {
                services.add(Instance.second(part));
            }
        }
        return services;
    }

    private StackPorts ports() {
        return portBase == null ? StackPorts.fromEnvironment(System.getenv()) : StackPorts.based(portBase);
    }

    private void announce(Stack stack, long seconds, PrintWriter out) {
        if (common.json()) {
            Map<String, Object> urls = new LinkedHashMap<>();
            urls.put("ready_after_s", seconds);
            urls.put("home", stack.home().root().toString());
            urls.put("keys", stack.home().devKeysFile().toString());
            for (Part part : Part.values()) {
                urls.put(part.label() + "_port", stack.ports().of(part));
            }
            out.println(EventJson.write(urls));
        } else {
            out.print(ReadyText.of(stack, seconds));
        }
        out.flush();
    }

    private void say(PrintWriter out, String line) {
        if (common.json()) {
            out.println(EventJson.write(Map.of("progress", line)));
        } else {
            out.println(line);
        }
        out.flush();
    }

    private int refuse(RuntimeException e, int exit) {
        if (spec != null) {
            spec.commandLine().getErr().println("postonce up: " + e.getMessage());
        }
        return exit;
    }

    private PrintWriter output() {
        if (spec == null) {
            throw new IllegalStateException("picocli injects the spec");
        }
        return spec.commandLine().getOut();
    }
}
