package dev.postonce.systemtests.harness;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.infra.AppImage;
import dev.postonce.standalone.process.Signals;
import dev.postonce.standalone.up.ClassArchive;
import dev.postonce.standalone.up.Distribution;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Class archives of the services, made once after a build: a run starts services many times. */
final class Preparation {

    private static final long MINUTES_MAX = 6;

    private Preparation() {}

    /** Holds the broker's classes. */
    static AppImage standalone(Distribution distribution, Path apps) {
        return AppImage.unpack(apps, "standalone", standaloneJar(distribution));
    }

    private static Path standaloneJar(Distribution distribution) {
        return distribution.root().resolve("standalone/target/standalone-exec.jar");
    }

    /** Of test JVMs side by side the others wait for the first. */
    static synchronized void once(Distribution distribution, Path apps) {
        try (FileChannel file = FileChannel.open(
                        Path.of("target/prepare.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = file.lock()) {
            standalone(distribution, apps);
            prepare(distribution, apps);
            lock.release();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void prepare(Distribution distribution, Path apps) throws IOException {
        boolean there = Part.services().stream().allMatch(part -> ClassArchive.of(distribution.image(part, apps), apps)
                .exists());
        if (there) {
            return;
        }
        try {
            Process process = new ProcessBuilder(List.of(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Dpostonce.dist=" + distribution.root(),
                            "-jar",
                            standaloneJar(distribution).toString(),
                            "prepare"))
                    .redirectInput(new File("/dev/null"))
                    .redirectErrorStream(true)
                    .redirectOutput(new File("target/prepare.log"))
                    .start();
            if (!process.waitFor(MINUTES_MAX, TimeUnit.MINUTES)) {
                Signals.end(process.pid(), "TERM", java.time.Duration.ofSeconds(60));
            }
            // Without archives everything is slower and nothing else.
            System.out.println("prepare ended with code " + process.waitFor() + "; see target/prepare.log");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
