package dev.postonce.standalone.up;

import dev.postonce.standalone.infra.AppImage;
import dev.postonce.standalone.process.ProcFs;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The classes of one program as this JVM maps them into memory (class data sharing), which saves about half of its start.
 * The JVM checks that an archive fits its jars, and does without if it does not.
 */
record ClassArchive(Path apps, String program, String classPath) {

    static ClassArchive of(AppImage image, Path apps) {
        return new ClassArchive(
                apps, image.directory().getFileName().toString(), image.jar().toString());
    }

    /** For a program that runs from a class path of its own. */
    static ClassArchive ofClassPath(Path apps, String classPath) {
        return new ClassArchive(apps, "class-path-" + Integer.toHexString(classPath.hashCode()), classPath);
    }

    Path file() {
        // Another JVM could not use it.
        String jvm = System.getProperty("java.vm.version", "") + System.getProperty("java.home", "") + classPath;
        return directory().resolve("classes-" + Integer.toHexString(jvm.hashCode()) + ".jsa");
    }

    /** Of the program; its jars never change once they are there. */
    Path directory() {
        return apps.resolve(program);
    }

    boolean exists() {
        return Files.exists(file());
    }

    /** Uses it where it is there; else has the JVM list what goes into it. */
    List<String> options(Path classList) {
        return exists()
                ? List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + file(), "-Xlog:cds=off")
                : List.of("-Xshare:auto", "-XX:DumpLoadedClassList=" + classList);
    }

    /** Starts a JVM that does nothing but write the archive to {@link #unfinished}, when nobody else wants the processor. */
    Process make(Path classList, Path log) throws IOException {
        return new ProcessBuilder(List.of(
                        "nice",
                        "-n",
                        "19",
                        JavaCommand.java().toString(),
                        "-Xshare:dump",
                        "-Xlog:cds=off",
                        "-XX:SharedClassListFile=" + classList,
                        "-XX:SharedArchiveFile=" + unfinished(),
                        "-cp",
                        classPath))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** What makers that were killed left half-written; as large as an archive. */
    void deleteUnfinished() throws IOException {
        String begun = file().getFileName() + ".";
        try (Stream<Path> beside = Files.list(directory())) {
            for (Path path : beside.toList()) {
                String name = path.getFileName().toString();
                if (name.startsWith(begun) && !ProcFs.isAlive(maker(name.substring(begun.length())))) {
                    Files.deleteIfExists(path);
                }
            }
        }
    }

    private static long maker(String suffix) {
        String digits = suffix.replaceAll("\\D", "");
        return digits.isEmpty() ? 0 : Long.parseLong(digits);
    }

    /** Only what was written to its end may be used. */
    void keep() throws IOException {
        Files.move(unfinished(), file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Several stacks may write one at the same time. */
    private Path unfinished() {
        return directory()
                .resolve(file().getFileName() + "." + ProcessHandle.current().pid() + ".new");
    }
}
