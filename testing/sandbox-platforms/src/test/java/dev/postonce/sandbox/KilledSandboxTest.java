package dev.postonce.sandbox;

import static dev.postonce.sandbox.Caller.POSTS;
import static dev.postonce.sandbox.Caller.post;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** A real process, killed while it is spoken to. */
class KilledSandboxTest {

    private static final int CLIENTS = 4;
    private static final int ANSWERS_BEFORE_THE_KILL = 40;

    @TempDir
    Path directory;

    @Test
    void whatever_was_answered_is_there_after_kill_9_and_nothing_is_there_twice() throws Exception {
        Process process = startProcess();
        List<String> answered = Collections.synchronizedList(new ArrayList<>());
        CountDownLatch enough = new CountDownLatch(ANSWERS_BEFORE_THE_KILL);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            Caller site = new Caller(addressOf(process) + "/wordpress/main");
            for (int client = 0; client < CLIENTS; client++) {
                String name = "client" + client;
                clients.submit(() -> createUntilItDies(site, name, answered, enough));
            }
            assertThat(enough.await(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly().waitFor();
            clients.shutdown();
            assertThat(clients.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }

        try (SandboxPlatforms again =
                SandboxPlatforms.start(SandboxConfig.forTests().withDirectory(directory))) {
            Caller control = new Caller(again.url()).as("");
            List<String> kept = new ArrayList<>();
            for (JsonNode found : control.get("/_sandbox/wordpress/main/posts").json()) {
                kept.add(found.get("slug").asString());
            }
            assertThat(kept).doesNotHaveDuplicates().containsAll(answered);
            // At most one create of each client was cut off.
            assertThat(kept.size()).isLessThanOrEqualTo(answered.size() + CLIENTS);
            Caller site = new Caller(again.url() + "/wordpress/main");
            assertThat(site.get(POSTS + "?slug=" + answered.get(0))
                            .json()
                            .at("/0/content/rendered")
                            .asString())
                    .isEqualTo("<p>双11</p>");
            assertThat(site.post(POSTS, post("after", "publish", "x")).id()).isGreaterThan(kept.size());
        }
    }

    private static void createUntilItDies(Caller site, String name, List<String> answered, CountDownLatch enough) {
        try {
            for (int i = 0; i < 100_000; i++) {
                String slug = name + "-" + i + "x";
                if (site.tryCall("POST", POSTS, post(slug, "publish", "<p>双11</p>"), Map.of())
                                .status()
                        == 201) {
                    answered.add(slug);
                    enough.countDown();
                }
            }
        } catch (IOException e) {
            // It was killed: the end of this client.
        }
    }

    private Process startProcess() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                SandboxPlatforms.class.getName());
        builder.environment().put("POSTONCE_HTTP_PORT", "0");
        builder.environment().put("POSTONCE_SANDBOX_DIR", directory.toString());
        builder.redirectError(ProcessBuilder.Redirect.INHERIT);
        return builder.start();
    }

    private static String addressOf(Process process) {
        BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
        try {
            String line = out.readLine();
            assertThat(line).contains(" listens on ");
            return line.substring(line.indexOf("http"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
