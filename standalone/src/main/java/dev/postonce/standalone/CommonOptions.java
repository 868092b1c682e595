package dev.postonce.standalone;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What every command takes; use as {@code @Mixin}. */
public final class CommonOptions {

    @Option(
            names = "--home",
            paramLabel = "DIR",
            description = "Where the stack keeps its data; default $POSTONCE_HOME, else ./data. 数据目录")
    private @Nullable Path home;

    @Option(names = "--json", description = "Print JSON for machines instead of text. 输出 JSON")
    private boolean json;

    public StandaloneHome home() {
        return home == null ? StandaloneHome.fromEnvironment(System.getenv()) : new StandaloneHome(home);
    }

    public boolean json() {
        return json;
    }
}
