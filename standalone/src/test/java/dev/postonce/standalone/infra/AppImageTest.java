package dev.postonce.standalone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Unpacking of runnable jars. */
class AppImageTest {

    @TempDir
    Path directory;

    @Test
    void classes_and_libraries_come_in_the_order_of_the_class_path() throws IOException {
        AppImage image = AppImage.unpack(apps(), "demo", runnable("one", "b.jar", "a.jar"));

        try (JarFile jar = new JarFile(image.jar().toFile())) {
            Attributes manifest = jar.getManifest().getMainAttributes();
            assertThat(manifest.getValue(Attributes.Name.MAIN_CLASS)).isEqualTo("demo.Main");
            assertThat(manifest.getValue(Attributes.Name.CLASS_PATH).split(" ", -1))
                    .satisfiesExactly(
                            first -> assertThat(first).startsWith("../lib/").endsWith("-b.jar"),
                            second -> assertThat(second).endsWith("-a.jar"));
            assertThat(new String(
                            jar.getInputStream(jar.getEntry("demo/Main.class")).readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("one");
        }
    }

    @Test
    void a_rebuild_gives_another_image_and_leaves_the_old_one_alone() throws IOException {
        AppImage old = AppImage.unpack(apps(), "demo", runnable("one", "a.jar"));
        AppImage same = AppImage.unpack(apps(), "demo", runnable("one", "a.jar"));
        AppImage rebuilt = AppImage.unpack(apps(), "demo", runnable("two", "a.jar"));

        assertThat(same.jar()).isEqualTo(old.jar());
        assertThat(rebuilt.jar()).isNotEqualTo(old.jar());
        assertThat(old.jar()).exists();
        try (Stream<Path> pool = Files.list(apps().resolve("lib"))) {
            assertThat(pool).hasSize(1);
        }
    }

    @Test
    void many_may_unpack_the_same_at_once() throws IOException {
        Path jar = runnable("one", "a.jar", "b.jar", "c.jar");

        List<CompletableFuture<AppImage>> all = IntStream.range(0, 16)
                .mapToObj(number -> CompletableFuture.supplyAsync(() -> AppImage.unpack(apps(), "demo", jar)))
                .toList();

        assertThat(all)
                .extracting(CompletableFuture::join)
                .extracting(AppImage::jar)
                .containsOnly(all.get(0).join().jar());
        try (Stream<Path> left = Files.list(apps())) {
            assertThat(left).hasSize(2); // the image and the pool: no half-filled directory stays
        }
    }

    private Path apps() {
        return directory.resolve("apps");
    }

    private Path runnable(String classBytes, String... libraries) throws IOException {
        Path file = directory.resolve("demo-exec.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Start-Class", "demo.Main");
        try (OutputStream out = Files.newOutputStream(file);
                JarOutputStream jar = new JarOutputStream(out, manifest)) {
            add(jar, "BOOT-INF/classes/demo/Main.class", classBytes);
            StringBuilder index = new StringBuilder();
            for (String library : libraries) {
                index.append("- \"BOOT-INF/lib/").append(library).append("\"\n");
            }
            for (String library : Stream.of(libraries).sorted().toList()) {
                add(jar, "BOOT-INF/lib/" + library, "library " + library);
            }
            add(jar, "BOOT-INF/classpath.idx", index.toString());
        }
        return file;
    }

    private static void add(JarOutputStream jar, String name, String content) throws IOException {
        jar.putNextEntry(new ZipEntry(name));
        jar.write(content.getBytes(StandardCharsets.UTF_8));
        jar.closeEntry();
    }
}
