package dev.postonce.standalone.up;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.StandaloneHome;
import dev.postonce.standalone.infra.AppImage;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import org.jspecify.annotations.Nullable;

/** Where the runnable jars are: the built source tree, named by the launcher script. */
public record Distribution(Path root) {

    public Distribution {
        root = root.toAbsolutePath().normalize();
    }

    /** From {@code -Dpostonce.dist} or {@code POSTONCE_DIST}; else the tree that this class was built in. */
    public static Distribution find() {
        String named = System.getProperty("postonce.dist", System.getenv().getOrDefault("POSTONCE_DIST", ""));
        if (!named.isEmpty()) {
            return new Distribution(Path.of(named));
        }
        Path here = Path.of("").toAbsolutePath();
        for (Path directory = here; directory != null; directory = directory.getParent()) {
            if (Files.exists(directory.resolve("standalone/pom.xml"))) {
                return new Distribution(directory);
            }
        }
        throw new IllegalStateException("the built services are not found from " + here
                + ": use the script ./postonce, or name the project's directory in POSTONCE_DIST");
    }

    public Path jar(Part part) {
        Path module = root.resolve(part.module());
        return module.resolve("target/" + module.getFileName() + "-exec.jar");
    }

    /** Unpacked programs. Beside the build's output, since they come from it and go with it; else in the home. */
    public Path apps(StandaloneHome home) {
        Path target = root.resolve("standalone/target");
        return Files.isWritable(target) ? target.resolve("apps") : home.root().resolve("apps");
    }

    void requireBuilt(Part part) {
        if (!Files.exists(jar(part))) {
            throw new StartFailedException(
                    "not built yet: " + jar(part) + ". Use ./postonce, or run mvn -B -DskipTests package. 请先构建");
        }
    }

    public AppImage image(Part part, Path apps) {
        return AppImage.unpack(apps, part.label(), jar(part));
    }

    /** What this program runs from; the broker's classes are in it. */
    public static String ownClassPath(Path apps) {
        String classPath = System.getProperty("java.class.path", "");
        if (classPath.contains(File.pathSeparator) || !isPacked(Path.of(classPath))) {
            return classPath;
        }
        return AppImage.unpack(apps, "standalone", Path.of(classPath)).jar().toString();
    }

    private static boolean isPacked(@Nullable Path file) {
        if (file == null || !Files.isRegularFile(file)) {
            return false;
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.getEntry("BOOT-INF/classpath.idx") != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
