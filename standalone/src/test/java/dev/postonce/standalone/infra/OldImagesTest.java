package dev.postonce.standalone.infra;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OldImagesTest {

    @TempDir
    Path apps;

    @Test
    void what_no_process_runs_from_goes_after_an_hour() throws IOException {
        Path current = image("relay-0123456789ab");
        Path old = image("relay-ba9876543210");
        Path used = image("relay-aaaaaaaaaaaa");
        Path other = image("ingest-0123456789ab");
        Process user = new ProcessBuilder(
                        "sh", "-c", "sleep 60; :", "sh", used.resolve("app.jar").toString())
                .start();
        try {
            clean(Instant.now(), current);
            assertThat(old).as("young: somebody may be about to start it").exists();

            clean(Instant.now().plusSeconds(3700), current);
            assertThat(old).doesNotExist();
            assertThat(used).exists();
            assertThat(current).exists();
            assertThat(other).exists();
        } finally {
            user.destroyForcibly();
        }
    }

    private void clean(Instant now, Path current) throws IOException {
        new OldImages(apps, InstantSource.fixed(now)).delete("relay", current);
    }

    private Path image(String name) throws IOException {
        Path image = Files.createDirectory(apps.resolve(name));
        Files.writeString(image.resolve("app.jar"), "");
        return image;
    }
}
