package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.process.Orphans;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The JVM of a part: small, quick to start, ended rather than left half-dead when its memory is full. */
public final class JavaCommand {

    private static final List<String> SMALL = List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xss512k",
            // Grows with what it has to do, and gives back what it needed while it started.
            "-Xms32m",
            "-XX:MinHeapFreeRatio=20",
            "-XX:MaxHeapFreeRatio=40",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:-UsePerfData",
            "-Dfile.encoding=UTF-8");

    private JavaCommand() {}

    static Path java() {
        return Path.of(System.getProperty("java.home"), "bin", "java");
    }

    /** Up to the class path; the caller adds what to run. */
    public static List<String> of(
            StandaloneHome home, Instance instance, List<String> archiveOptions, Map<String, String> environment) {
        Part part = instance.part();
        List<String> command = new ArrayList<>();
        command.add(java().toString());
        command.addAll(SMALL);
        command.add("-Xmx" + heapMib(part) + "m");
        command.addAll(archiveOptions);
        command.addAll(Orphans.marks(home, instance.name()));
        command.addAll(options(environment, "POSTONCE_JAVA_OPTIONS"));
        command.addAll(
                options(environment, "POSTONCE_JAVA_OPTIONS_" + part.label().toUpperCase(Locale.ROOT)));
        return command;
    }

    private static int heapMib(Part part) {
        return switch (part) {
            case KAFKA -> 192;
            case INGEST, DISPATCHER -> 128;
            case RELAY, INDEX -> 160;
            case SANDBOX -> 96;
            case POSTGRES -> throw new IllegalArgumentException("PostgreSQL is no JVM");
        };
    }

    private static List<String> options(Map<String, String> environment, String name) {
        String value = environment.getOrDefault(name, "").strip();
        return value.isEmpty() ? List.of() : List.of(value.split("\\s+", -1));
    }
}
