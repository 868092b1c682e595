package dev.postonce.standalone.submit;

import dev.postonce.client.PostonceClient;
import dev.postonce.runtime.Ids;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.ServiceOptions;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code postonce submit FILE}. */
@Command(
        name = "submit",
        mixinStandardHelpOptions = true,
        description = {
            "Submit tasks or groups, one JSON object a line. Doing it again changes nothing. 提交任务或群组（JSON Lines），可重复执行。",
            "A line with group_id is a group, any other a task. Without external_id the service derives one from the content."
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:everything was accepted 全部受理",
            "1:a line was refused 有被拒绝的行",
            "2:wrong usage 用法错误",
            "4:the service does not answer; submit again later 服务无响应"
        })
public final class SubmitCommand implements Callable<Integer> {

    private static final int CLIENTS_MAX = 256;
    private static final int REPEAT_MAX = 1_000;
    private static final long PROGRESS_EVERY_S = 2;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Parameters(paramLabel = "FILE", description = "JSON Lines in UTF-8; - reads standard input. 文件，- 为标准输入")
    private String file;

    @Option(names = "--clients", paramLabel = "N", defaultValue = "4", description = "Clients at once; default 4. 并发数")
    private int clients;

    @Option(
            names = "--repeat",
            paramLabel = "N",
            defaultValue = "1",
            description = "Submit each line so often, at one time. 每行重复提交次数")
    private int repeat;

    @Option(names = "--batch", description = "Send tasks many to a request; much faster. 批量提交，更快")
    private boolean batch;

    @Option(names = "--kind", paramLabel = "task|group", description = "What all lines are. 全部行的类型")
    private @Nullable String kind;

    @Mixin
    private TaskDefaults defaults;

    @Option(names = "--dry-run", description = "Check the lines, send nothing. 只检查，不发送")
    private boolean dryRun;

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public SubmitCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        LineForm form = form();
        SubmitReport report;
        try (LineSource lines = new LineSource(open())) {
            report = dryRun ? check(lines, form) : send(lines, form);
        }
        if (common.json()) {
            out.println(SubmitOutput.json(report));
        } else {
            SubmitOutput.text(report, out);
            if (dryRun) {
                out.println("dry run: nothing was sent. 仅检查，未发送。");
            }
        }
        if (report.refused() + report.faulty() > 0) {
            return ExitCodes.FOUND;
        }
        return report.allAccepted() ? ExitCodes.OK : ExitCodes.NOT_RUNNING;
    }

    private LineForm form() {
        limit("--clients", clients, CLIENTS_MAX);
        limit("--repeat", repeat, REPEAT_MAX);
        Submission.Kind given = kind == null
                ? null
                : Submission.Kind.of(kind).orElseThrow(() -> usage("--kind is task or group, not " + kind));
        return defaults.form(given);
    }

    private static SubmitReport check(LineSource lines, LineForm form) {
        Tally tally = new Tally();
        for (LineSource.Line line = lines.next(); line != null; line = lines.next()) {
            tally.line();
            if (form.read(line) instanceof LineForm.Outcome.Faulty faulty) {
                tally.faulty(faulty);
            }
        }
        return tally.report(null, java.time.Duration.ZERO);
    }

    private SubmitReport send(LineSource lines, LineForm form) throws InterruptedException {
        String address = service.address(common);
        PrintWriter err = spec.commandLine().getErr();
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "submit-progress");
            thread.setDaemon(true);
            return thread;
        });
        try (PostonceClient client = service.client(common)) {
            SubmissionRun run = new SubmissionRun(client, clients, repeat, Ids.random(), (submission, result) -> {});
            if (batch) {
                run.inBatches();
            }
            var unused = timer.scheduleAtFixedRate(
                    () -> progress(err, address, run), PROGRESS_EVERY_S, PROGRESS_EVERY_S, TimeUnit.SECONDS);
            return run.run(lines, form);
        } finally {
            timer.shutdownNow();
        }
    }

    private static void progress(PrintWriter err, String address, SubmissionRun run) {
        SubmitReport soFar = run.soFar();
        err.println(
                soFar.sent() == 0
                        ? "no answer yet from " + address
                                + "; still waiting or trying again, Ctrl-C ends it. 尚无响应，继续等待或重试"
                        : SubmitOutput.progress(soFar));
        err.flush();
    }

    private InputStream open() {
        if (file.equals("-")) {
            return System.in;
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (IOException e) {
            throw usage("cannot read " + file + ": " + e.getClass().getSimpleName());
        }
    }

    private void limit(String name, int value, int max) {
        if (value < 1 || value > max) {
            throw usage(name + " is 1 to " + max + ", not " + value);
        }
    }

    private CommandLine.ParameterException usage(String message) {
        return new CommandLine.ParameterException(spec.commandLine(), message);
    }
}
