package dev.postonce.standalone.infra;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;

/**
 * A runnable jar, unpacked to {@code <name>-<digest>/app.jar} and a pool of libraries that all services share. It starts
 * faster than jars inside a jar, can have a class data archive, and a build that replaces the runnable jar does not pull
 * it away from under a running service.
 */
public final class AppImage {

    /** Every jar that Spring Boot packs has it, and no other. */
    private static final String INDEX = "BOOT-INF/classpath.idx";

    private static final String LAYOUT = "1";
    private static final String CLASSES = "BOOT-INF/classes/";
    private static final String LIBRARIES = "BOOT-INF/lib/";
    private static final int DIGEST_BYTES = 6;

    private final Path directory;

    private AppImage(Path directory) {
        this.directory = directory;
    }

    /**
     * @param apps where images are kept; several processes may unpack into it at once
     * @param jar a runnable jar as Spring Boot packs it, or a plain one
     */
    public static AppImage unpack(Path apps, String name, Path jar) {
        try (JarFile source = new JarFile(jar.toFile())) {
            Path directory = apps.resolve(name + "-" + digest(source));
            FileTrees.whole(directory, filling -> fill(source, filling, apps.resolve("lib")));
            return new AppImage(directory);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot unpack " + jar, e);
        }
    }

    public Path jar() {
        return directory.resolve("app.jar");
    }

    public Path directory() {
        return directory;
    }

    /** Over names and checksums in the jar's directory, so that nothing has to be read twice. */
    private static String digest(JarFile source) {
        List<String> lines = new ArrayList<>();
        for (JarEntry entry : Collections.list(source.entries())) {
            lines.add(entry.getName() + " " + entry.getCrc() + " " + entry.getSize());
        }
        Collections.sort(lines);
        try {
            MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
            sha256.update(LAYOUT.getBytes(StandardCharsets.UTF_8));
            lines.forEach(line -> sha256.update(line.getBytes(StandardCharsets.UTF_8)));
            return HexFormat.of().formatHex(sha256.digest(), 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    private static void fill(JarFile source, Path directory, Path pool) throws IOException {
        Path app = directory.resolve("app.jar");
        if (source.getEntry(INDEX) == null) {
            Files.copy(Path.of(source.getName()), app);
            return;
        }
        Files.createDirectories(pool);
        List<String> classPath = new ArrayList<>();
        for (String library : libraries(source)) {
            classPath.add("../lib/" + pooled(source, library, pool));
        }
        try (OutputStream out = Files.newOutputStream(app);
                JarOutputStream jar = new JarOutputStream(out, manifest(source, classPath))) {
            for (JarEntry entry : Collections.list(source.entries())) {
                String name = entry.getName();
                if (name.startsWith(CLASSES) && name.length() > CLASSES.length()) {
                    ZipEntry copy = new ZipEntry(name.substring(CLASSES.length()));
                    copy.setTime(entry.getTime());
                    jar.putNextEntry(copy);
                    try (InputStream content = source.getInputStream(entry)) {
                        content.transferTo(jar);
                    }
                    jar.closeEntry();
                }
            }
        }
    }

    /** In the order of the class path, which the archive's order is not. */
    private static List<String> libraries(JarFile source) throws IOException {
        ZipEntry index = source.getEntry(INDEX);
        try (InputStream in = source.getInputStream(index)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith("- "))
                    .map(line -> line.substring(2).replace("\"", ""))
                    .toList();
        }
    }

    /** @return the file's name in the pool; it holds the checksum, since snapshots change under one version */
    private static String pooled(JarFile source, String library, Path pool) throws IOException {
        ZipEntry entry = source.getEntry(library);
        String name = "%08x-%s".formatted(entry.getCrc(), library.substring(LIBRARIES.length()));
        Path target = pool.resolve(name);
        if (!Files.exists(target)) {
            Path written = Files.createTempFile(pool, ".", ".tmp");
            try (InputStream content = source.getInputStream(entry)) {
                Files.copy(content, written, StandardCopyOption.REPLACE_EXISTING);
            }
            try {
                Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
            } catch (FileAlreadyExistsException e) {
                Files.deleteIfExists(written);
            }
        }
        return name;
    }

    private static Manifest manifest(JarFile source, List<String> classPath) throws IOException {
        Attributes given = source.getManifest().getMainAttributes();
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, given.getValue("Start-Class"));
        attributes.put(Attributes.Name.CLASS_PATH, String.join(" ", classPath));
        for (String kept : List.of("Implementation-Title", "Implementation-Version", "Multi-Release")) {
            if (given.getValue(kept) != null) {
                attributes.putValue(kept, given.getValue(kept));
            }
        }
        return manifest;
    }
}
