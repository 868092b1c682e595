package dev.postonce.standalone.up;

import dev.postonce.standalone.infra.AppImage;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/**
 * The classes of one program as this JVM maps them into memory (class data sharing), which saves a third to a half of its
 * start. The JVM checks that an archive fits its jars, and does without if it does not.
 */
public record ClassArchive(Path apps, String program, String classPath) {

    /** The JVM writes an archive's header last, so a broken-off one does not begin with it. */
    private static final int BEGINS_WITH = 0xf00baba8;

    public static ClassArchive of(AppImage image, Path apps) {
        return new ClassArchive(
                apps, image.directory().getFileName().toString(), image.jar().toString());
    }

    /** For a program that runs from a class path of its own. */
    public static ClassArchive ofClassPath(Path apps, String classPath) {
        return new ClassArchive(apps, "class-path-" + Integer.toHexString(classPath.hashCode()), classPath);
    }

    /** Of the program; its jars never change once they are there. */
    Path directory() {
        return apps.resolve(program);
    }

    public boolean exists() {
        return Files.exists(file());
    }

    public List<String> options(StartMode mode) {
        if (exists()) {
            return List.of("-Xshare:auto", "-XX:SharedArchiveFile=" + file(), "-Xlog:cds=off");
        }
        return switch (mode) {
            case USE -> List.of("-Xshare:auto");
            case PREPARE -> List.of("-XX:ArchiveClassesAtExit=" + unfinished(), "-Xlog:cds=off");
        };
    }

    /** Puts what a JVM wrote into its place, once that JVM has ended. Returns whether there is an archive now. */
    boolean keep() throws IOException {
        if (Files.exists(unfinished())) {
            if (isWhole(unfinished())) {
                Files.move(unfinished(), file(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.delete(unfinished());
            }
        }
        return exists();
    }

    private static boolean isWhole(Path archive) throws IOException {
        try (DataInputStream in = new DataInputStream(Files.newInputStream(archive))) {
            return Files.size(archive) > Integer.BYTES && Integer.reverseBytes(in.readInt()) == BEGINS_WITH;
        }
    }

    private Path file() {
        // Another JVM could not use it.
        String jvm = System.getProperty("java.vm.version", "") + System.getProperty("java.home", "") + classPath;
        return directory().resolve("classes-" + Integer.toHexString(jvm.hashCode()) + ".jsa");
    }

    private Path unfinished() {
        return directory().resolve(file().getFileName() + ".new");
    }
}
