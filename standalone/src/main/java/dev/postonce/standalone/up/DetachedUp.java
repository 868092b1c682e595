package dev.postonce.standalone.up;

import dev.postonce.standalone.ExitCodes;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.LogFile;
import dev.postonce.standalone.process.LogTail;
import dev.postonce.standalone.process.ProcessId;
import dev.postonce.standalone.process.Waiting;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code up --detach}: the same {@code up} in a session of its own, watched until it says that it is ready. */
final class DetachedUp {

    private static final Duration PATIENCE = Duration.ofSeconds(330);
    private static final long LOG_BYTES_MAX = 1024 * 1024;

    private final StandaloneHome home;
    private final List<String> arguments;
    private final Stack.Progress progress;

    DetachedUp(StandaloneHome home, List<String> arguments, Stack.Progress progress) {
        this.home = home;
        this.arguments = arguments;
        this.progress = progress;
    }

    /** The foreground {@code up} says so here, for the one that started it. */
    static void markReady(StandaloneHome home) {
        ProcessId.current().save(readyFile(home));
    }

    int run() {
        PrivateFiles.directory(home.root());
        PrivateFiles.directory(home.logs());
        LogFile log = new LogFile(home.logs().resolve("up.log"), LOG_BYTES_MAX);
        log.rotateAtStart();
        Process up = start(log.path());
        Waiting.until(PATIENCE, () -> !up.isAlive() || isReady(up.pid()));
        if (isReady(up.pid())) {
            progress.accept(LogTail.of(log.path()).strip());
            progress.accept("It runs in the background as process " + up.pid() + ". 后台运行中");
            return ExitCodes.OK;
        }
        if (up.isAlive()) {
            up.destroy();
            throw new StartFailedException(
                    "not ready after " + PATIENCE.toSeconds() + " s:\n" + LogTail.of(log.path()));
        }
        progress.accept(LogTail.of(log.path()).strip());
        return up.exitValue();
    }

    private boolean isReady(long pid) {
        return ProcessId.load(readyFile(home))
                .filter(ready -> ready.pid() == pid && ready.isAlive())
                .isPresent();
    }

    private Process start(Path log) {
        List<String> command =
                new ArrayList<>(List.of("setsid", JavaCommand.java().toString()));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("-X") || argument.startsWith("-Dpostonce."))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(mainClass());
        command.addAll(arguments);
        try {
            return new ProcessBuilder(command)
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start in the background", e);
        }
    }

    /** A runnable jar of jars needs its own loader in front. */
    private static String mainClass() {
        boolean packed = DetachedUp.class.getClassLoader() != ClassLoader.getSystemClassLoader();
        return packed ? "org.springframework.boot.loader.launch.JarLauncher" : "dev.postonce.standalone.Postonce";
    }

    private static Path readyFile(StandaloneHome home) {
        return home.run().resolve("ready.pid");
    }
}
