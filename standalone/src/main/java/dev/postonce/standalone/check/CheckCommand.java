package dev.postonce.standalone.check;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.SubmitResult;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.ServiceOptions;
import dev.postonce.standalone.submit.LineForm;
import dev.postonce.standalone.submit.LineSource;
import dev.postonce.standalone.submit.Submission;
import dev.postonce.standalone.submit.TaskDefaults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code postonce check FILE}. */
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        description = {
            "Check articles before they are submitted, one JSON object a line; nothing is stored. 发布前检查（JSON Lines），不提交。",
            "Which findings are errors and which are warnings is the tenant's policy. 错误或警告由租户策略决定。",
            "Give the defaults that you will submit with: a task without target_platforms is malformed. 缺省值与 submit 相同。"
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:no errors 无错误",
            "1:errors were found, or warnings with --strict 发现错误",
            "2:wrong usage 用法错误",
            "4:the service does not answer 服务无响应"
        })
public final class CheckCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Mixin
    private ServiceOptions service;

    @Parameters(paramLabel = "FILE", description = "JSON Lines in UTF-8; - reads standard input. 文件，- 为标准输入")
    private String file;

    @Mixin
    private TaskDefaults defaults;

    @Option(names = "--strict", description = "Warnings count as errors. 警告视为错误")
    private boolean strict;

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public CheckCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        CheckReport report = new CheckReport();
        LineForm form = defaults.form(Submission.Kind.TASK);
        try (LineSource lines = new LineSource(open());
                PostonceClient client = service.client(common)) {
            for (LineSource.Line line = lines.next(); line != null && !report.isUnanswered(); line = lines.next()) {
                check(client, form, line, report);
            }
        }
        if (common.json()) {
            spec.commandLine().getOut().println(report.json());
        } else {
            report.text(spec.commandLine().getOut());
        }
        if (report.isUnanswered()) {
            return ExitCodes.NOT_RUNNING;
        }
        boolean found = report.count("error") > 0 || (strict && report.count("warning") > 0);
        return found ? ExitCodes.FOUND : ExitCodes.OK;
    }

    private static void check(PostonceClient client, LineForm form, LineSource.Line line, CheckReport report)
            throws InterruptedException {
        report.line();
        if (line.tooLong()) {
            report.faulty(line.number(), "the line is too long");
            return;
        }
        SubmitResult result = client.checkTask(form.filled(line.text()));
        if (result instanceof SubmitResult.Replayed answered) {
            report.add(line.number(), answered.resource());
        } else if (result instanceof SubmitResult.Refused refused) {
            report.faulty(line.number(), refused.problem().describe());
        } else if (result instanceof SubmitResult.GaveUp gaveUp) {
            report.notChecked(line.number(), gaveUp.last().describe());
        }
    }

    private InputStream open() {
        if (file.equals("-")) {
            return System.in;
        }
        try {
            return Files.newInputStream(Path.of(file));
        } catch (IOException e) {
            throw new CommandLine.ParameterException(
                    spec.commandLine(),
                    "cannot read " + file + ": " + e.getClass().getSimpleName());
        }
    }
}
