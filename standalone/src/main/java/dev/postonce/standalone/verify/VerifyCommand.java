package dev.postonce.standalone.verify;

import dev.postonce.invariants.facts.TooManyFactsException;
import dev.postonce.runtime.Secret;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code postonce verify}. */
@Command(
        name = "verify",
        mixinStandardHelpOptions = true,
        description = {
            "Compare source and sinks per key: rows, events, index entries, posts; and the services' meters."
                    + " Reads only. 逐键核对：行、事件、索引、帖子与各服务的指标，只读。",
            "Lists what is missing, extra, stale or doubled, and what to do about it."
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:clean 一致",
            "1:an invariant is broken 有不变量被破坏",
            "2:no verdict: wrong usage, or something could not be read 无法判断"
        })
public final class VerifyCommand implements Callable<Integer> {

    /** Nothing was judged. Kept apart from 1, so that a script never takes a database that is away for a double. */
    static final int NO_VERDICT = 2;

    private static final Set<String> PARTS = Set.of("replica", "posts", "meters");

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Option(
            names = "--prefix",
            paramLabel = "P",
            defaultValue = "",
            description = "Only external ids (or groups: operation/id) that begin so. 只核对此前缀的键")
    private String prefix;

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = Durations.class,
            description = "Changes younger than this may still be on their way; default 30s. 宽限时间")
    private Duration grace;

    @Option(names = "--export", paramLabel = "FILE", description = "Also write everything as JSON. 导出 JSON")
    private @Nullable Path export;

    @Option(
            names = "--without",
            paramLabel = "replica|posts",
            split = ",",
            description = "Sinks to leave out on purpose. 有意略过的部分")
    private List<String> without = List.of();

    @Option(
            names = "--index-url",
            paramLabel = "URL",
            description = "An index-consumer to compare; may be repeated. Default: the stack's. 索引服务地址")
    private List<String> indexUrls = List.of();

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public VerifyCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        if (!PARTS.containsAll(without)) {
            throw new ParameterException(
                    spec.commandLine(), "--without takes replica, posts and meters, not " + without);
        }
        PrintWriter out = spec.commandLine().getOut();
        PrintWriter err = spec.commandLine().getErr();
        Verdict verdict;
        try {
            verdict = new Verification(sources(), Clock.systemUTC(), line -> progress(err, line)).run(prefix, grace);
        } catch (TooManyFactsException e) {
            err.println("no verdict 无法判断: " + e.getMessage() + " (POSTONCE_CLI_HEAP=1g)");
            return NO_VERDICT;
        } catch (CouldNotReadException | IllegalStateException | UncheckedIOException e) {
            err.println("no verdict 无法判断: " + e.getMessage());
            return NO_VERDICT;
        }
        if (common.json()) {
            out.println(VerdictOutput.json(verdict).toPrettyString());
        } else {
            VerdictOutput.text(verdict, out);
        }
        write(verdict, err);
        return verdict.isClean() ? ExitCodes.OK : ExitCodes.FOUND;
    }

    private VerifySources sources() {
        VerifySources ofHome = VerifySources.of(common.home());
        List<String> replicas = indexUrls.isEmpty() ? ofHome.indexUrls() : indexUrls;
        Secret key = ofHome.opsKey();
        return new VerifySources(
                ofHome.databaseUrl(),
                ofHome.databasePassword(),
                ofHome.kafkaBootstrap(),
                without.contains("replica") ? List.of() : replicas,
                without.contains("posts") ? null : ofHome.sandboxUrl(),
                key,
                ofHome.tenantId(),
                without.contains("meters") ? List.of() : ofHome.services());
    }

    private void progress(PrintWriter err, String line) {
        if (!common.json()) {
            err.println("verify: " + line);
            err.flush();
        }
    }

    private void write(Verdict verdict, PrintWriter err) {
        if (export == null) {
            return;
        }
        try {
            Files.writeString(export, VerdictOutput.json(verdict).toPrettyString() + "\n");
            err.println("written to " + export);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write " + export, e);
        }
    }
}
