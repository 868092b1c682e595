package dev.postonce.standalone.submit;

import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What tasks get that do not say it themselves; use as {@code @Mixin}. */
public final class TaskDefaults {

    @Option(
            names = "--platforms",
            paramLabel = "A,B",
            split = ",",
            description = "target_platforms of tasks that name none. 默认目标平台")
    private List<String> platforms = List.of();

    @Option(names = "--group-code", paramLabel = "X", description = "group_code of tasks that name none. 默认账号组")
    private @Nullable String groupCode;

    @Option(names = "--callback-url", paramLabel = "URL", description = "callback_url of tasks that name none. 默认回调地址")
    private @Nullable String callbackUrl;

    /** @param kind null where each line shows it */
    public LineForm form(Submission.@Nullable Kind kind) {
        return new LineForm(kind, platforms, groupCode, callbackUrl);
    }
}
