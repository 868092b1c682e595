package dev.postonce.standalone.up;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The classes of one program as this JVM maps them into memory (class data sharing), which saves about half of its start.
 * The JVM checks that an archive fits its jars, and does without if it does not.
 */
record ClassArchive(Path file, String classPath) {

    /** @param directory of the program; its jars never change once they are there */
    static ClassArchive of(Path directory, String classPath) {
        String madeFor = System.getProperty("java.vm.version", "") + System.getProperty("java.home", "") + classPath;
        return new ClassArchive(
                directory.resolve("classes-" + Integer.toHexString(madeFor.hashCode()) + ".jsa"), classPath);
    }

    boolean exists() {
        return Files.exists(file);
    }

    /** Uses it where it is there; else has the JVM list what goes into it. */
    List<String> options(Path classList) {
        return exists()
                ? List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + file, "-Xlog:cds=off")
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

    /** Only what was written to its end may be used. */
    void keep() throws IOException {
        Files.move(unfinished(), file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Several stacks may write one at the same time. */
    private Path unfinished() {
        return file.resolveSibling(
                file.getFileName() + "." + ProcessHandle.current().pid() + ".new");
    }
}
