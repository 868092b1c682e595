package dev.postonce.sandbox.wordpress;

import static dev.postonce.sandbox.Caller.POSTS;
import static dev.postonce.sandbox.Caller.post;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.sandbox.Caller;
import dev.postonce.sandbox.SandboxConfig;
import dev.postonce.sandbox.SandboxPlatforms;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** WordPress looks for a free slug and takes it without a lock, so creates that meet there share one. */
class RaceTest {

    private static final int CREATES = 4;

    @Test
    void creates_that_meet_in_the_window_get_one_slug_and_the_next_save_parts_them() throws Exception {
        SandboxConfig wide = SandboxConfig.forTests().withRaceWindow(Duration.ofMillis(300));
        try (SandboxPlatforms sandbox = SandboxPlatforms.start(wide)) {
            Caller site = new Caller(sandbox.url() + "/wordpress/main");
            createTogether(site);

            JsonNode doubles = site.get(POSTS + "?slug=raced&status=any").json();
            assertThat(doubles.size()).isGreaterThan(1);
            String saved = site.post(POSTS + "/" + doubles.at("/0/id").asLong(), "{\"title\":\"saved\"}")
                    .text("slug");
            assertThat(saved).startsWith("raced-");
        }
    }

    @Test
    void one_after_the_other_never_share_one() {
        try (SandboxPlatforms sandbox = SandboxPlatforms.start(SandboxConfig.forTests())) {
            Caller site = new Caller(sandbox.url() + "/wordpress/main");
            for (int i = 0; i < CREATES; i++) {
                site.post(POSTS, post("raced", "publish", "x"));
            }
            assertThat(site.get(POSTS + "?slug=raced&status=any").json()).hasSize(1);
        }
    }

    private static void createTogether(Caller site) throws Exception {
        CyclicBarrier together = new CyclicBarrier(CREATES);
        Callable<Caller.Reply> create = () -> {
            together.await();
            return site.post(POSTS, post("raced", "publish", "x"));
        };
        ExecutorService threads = Executors.newFixedThreadPool(CREATES);
        try {
            List<Future<Caller.Reply>> replies = new ArrayList<>();
            for (int i = 0; i < CREATES; i++) {
                replies.add(threads.submit(create));
            }
            for (Future<Caller.Reply> reply : replies) {
                assertThat(reply.get().status()).isEqualTo(201);
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
