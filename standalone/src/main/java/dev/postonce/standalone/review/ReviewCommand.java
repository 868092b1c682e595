package dev.postonce.standalone.review;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.RetryPolicy;
import dev.postonce.client.SubmitResult;
import dev.postonce.runtime.http.OutgoingPolicy;
import dev.postonce.runtime.http.SafeHttpClient;
import dev.postonce.standalone.CommonOptions;
import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.review.ReviewReport.Pages;
import dev.postonce.standalone.review.UrlCheck.Page;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code postonce review --week}. */
@Command(
        name = "review",
        mixinStandardHelpOptions = true,
        description = {
            "What went wrong lately and was left so; changes nothing. 复盘：近期未处理的问题，只读。",
            "Doubled slugs, open audits and search submissions, half translations, gaps in the sitemap, blind retries."
        },
        exitCodeListHeading = "%nExit codes 退出码:%n",
        exitCodeList = {
            "0:nothing to follow up 无需跟进",
            "1:something to follow up 需要跟进",
            "2:wrong usage, or the key lacks the scope ops 用法错误或权限不足",
            "4:the service does not answer 服务无响应"
        })
public final class ReviewCommand implements Callable<Integer> {

    private static final int DAYS_MAX = 92;
    private static final int URLS_MAX = 5_000;
    private static final int PAGE = 200;
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(10);
    private static final int ANSWER_BYTES_MAX = 64 * 1024;

    @Spec
    private CommandSpec spec;

    @Mixin
    private CommonOptions common;

    @Option(names = "--week", description = "The last seven days; the default. 最近七天（默认）")
    private boolean week;

    @Option(names = "--days", paramLabel = "N", description = "The last N days instead. 最近 N 天")
    private @Nullable Integer days;

    @Option(names = "--check-urls", description = "Also ask the public pages of the articles changed then. 检查公开页面")
    private boolean checkUrls;

    @Option(
            names = "--urls-max",
            paramLabel = "N",
            defaultValue = "200",
            description = "Pages asked at most; default 200. 最多检查页面数")
    private int urlsMax;

    @Option(names = "--url", paramLabel = "URL", description = "Address of ingest-service; default: the stack's. 服务地址")
    private @Nullable String url;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description =
                    "API key with the scope ops (and read for --check-urls); default $POSTONCE_API_KEY, else the development"
                            + " key. API 密钥")
    private @Nullable String key;

    private final Clock clock = Clock.systemUTC();

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    public ReviewCommand() {}

    @Override
    public Integer call() throws InterruptedException {
        int span = days == null ? 7 : days;
        if (week && days != null) {
            throw usage("--week and --days exclude each other");
        }
        if (span < 1 || span > DAYS_MAX || urlsMax < 1 || urlsMax > URLS_MAX) {
            throw usage("--days is 1 to " + DAYS_MAX + ", --urls-max 1 to " + URLS_MAX);
        }
        Instant until = clock.instant();
        Instant since = until.minus(Duration.ofDays(span));
        String address = url != null ? url : common.home().devKeys().apiUrl();
        try (PostonceClient client = new PostonceClient(address, apiKey(), RetryPolicy.standard())) {
            JsonNode review = answer(client.read("/v1/review?since=" + since + "&until=" + until));
            ReviewReport report = new ReviewReport(review, checkUrls ? pages(client, since) : null);
            if (common.json()) {
                spec.commandLine().getOut().println(report.json());
            } else {
                report.text(spec.commandLine().getOut());
            }
            spec.commandLine().getOut().flush();
            return report.found() > 0 ? ExitCodes.FOUND : ExitCodes.OK;
        } catch (NoAnswerException e) {
            spec.commandLine().getErr().println("postonce: " + e.getMessage());
            spec.commandLine().getErr().flush();
            return e.exitCode;
        }
    }

    private Pages pages(PostonceClient client, Instant since) throws InterruptedException {
        List<Page> pages = new ArrayList<>();
        @Nullable String cursor = null;
        boolean more = false;
        do {
            JsonNode list = answer(client.read("/v1/tasks?updated_since=" + since + "&limit=" + PAGE
                    + (cursor == null ? "" : "&cursor=" + URLEncoder.encode(cursor, StandardCharsets.UTF_8))));
            for (JsonNode task : list.path("tasks")) {
                if (pages.size() < urlsMax) {
                    pageOf(task, pages);
                } else {
                    more = true;
                }
            }
            cursor = list.path("next_cursor").asString(null);
            more |= cursor != null && pages.size() >= urlsMax;
        } while (cursor != null && !more);
        OutgoingPolicy policy = "true".equals(System.getenv("POSTONCE_ALLOW_LOOPBACK"))
                ? OutgoingPolicy.loopbackToo(CALL_TIMEOUT, ANSWER_BYTES_MAX)
                : OutgoingPolicy.strict(CALL_TIMEOUT, ANSWER_BYTES_MAX);
        try (SafeHttpClient http = new SafeHttpClient(policy)) {
            return new Pages(pages.size(), more, new UrlCheck(http).ask(pages));
        }
    }

    /** A page that a withdrawal keeps is neither here nor there. */
    private static void pageOf(JsonNode task, List<Page> pages) {
        @Nullable String address = task.path("url").asString(null);
        boolean active = task.path("status").asString("").equals("active");
        boolean gone = task.path("withdrawal").path("public").asString("").equals("gone");
        if (address != null && (active || gone)) {
            pages.add(new Page(task.path("external_id").asString(), address, active));
        }
    }

    /** The question was not answered. */
    private static final class NoAnswerException extends RuntimeException {

        private static final long serialVersionUID = 1;
        private final int exitCode;

        NoAnswerException(String message, int exitCode) {
            super(message);
            this.exitCode = exitCode;
        }
    }

    private static JsonNode answer(SubmitResult result) {
        if (result instanceof SubmitResult.Replayed answered) {
            return answered.resource();
        }
        if (result instanceof SubmitResult.Refused refused) {
            throw new NoAnswerException(refused.problem().describe(), ExitCodes.USAGE);
        }
        SubmitResult.GaveUp gaveUp = (SubmitResult.GaveUp) result;
        throw new NoAnswerException(
                "the service does not answer: " + gaveUp.last().describe() + " 服务无响应", ExitCodes.NOT_RUNNING);
    }

    private String apiKey() {
        if (key != null) {
            return key;
        }
        String fromEnvironment = System.getenv("POSTONCE_API_KEY");
        return fromEnvironment != null && !fromEnvironment.isEmpty()
                ? fromEnvironment
                : common.home().devKeys().apiKey().reveal();
    }

    private ParameterException usage(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
