package dev.postonce.standalone.demo;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.RetryPolicy;
import dev.postonce.runtime.Ids;
import dev.postonce.standalone.DevKeys;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.process.Waiting;
import dev.postonce.standalone.submit.LineSource;
import dev.postonce.standalone.submit.SubmissionRun;
import dev.postonce.standalone.submit.SubmitReport;
import dev.postonce.standalone.verify.CouldNotReadException;
import dev.postonce.standalone.verify.JsonOverHttp;
import dev.postonce.standalone.verify.Verdict;
import dev.postonce.standalone.verify.Verification;
import dev.postonce.standalone.verify.VerifySources;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;

/** The demo on a stack that runs. */
final class DemoRun {

    private static final int CLIENTS = 4;
    private static final int TIMES = 3;
    private static final Duration HEALTHY_WITHIN = Duration.ofSeconds(60);
    private static final Duration SETTLED_WITHIN = Duration.ofSeconds(30);

    private final Stack stack;
    private final long seed;
    private final Phases phases;
    private final Consumer<String> progress;
    private final Sample sample = new Sample();
    private final DevKeys keys;
    private final Sandbox sandbox;

    DemoRun(Stack stack, long seed, Phases phases, Consumer<String> progress) {
        this.stack = stack;
        this.seed = seed;
        this.phases = phases;
        this.progress = progress;
        this.keys = stack.devKeys();
        this.sandbox = new Sandbox(stack.ports().url(Part.SANDBOX), keys.tenant());
    }

    DemoReport run() throws InterruptedException, SQLException {
        // Which of them are the demo's is known once the answers named its tasks.
        Map<String, Integer> allBefore = sandbox.postsByMarker();
        Map<String, Long> swallowedBefore = sandbox.swallowed();
        JsonNode faultsBefore = sandbox.swallowAnswers(seed);
        progress.accept("the sandbox swallows 10 % of its answers, seed " + seed);
        try (Kills kills = new Kills(stack, progress)) {
            return run(kills, allBefore, swallowedBefore);
        } finally {
            sandbox.setFaults(faultsBefore);
        }
    }

    private DemoReport run(Kills kills, Map<String, Integer> allBefore, Map<String, Long> swallowedBefore)
            throws InterruptedException, SQLException {
        phases.begin("submit 提交");
        int answersExpected = (sample.articles() + sample.groupSpellings()) * TIMES;
        Accepted accepted = new Accepted(answers -> {
            if (answers == answersExpected / 3) {
                kills.kill(Part.DISPATCHER, "while a third was submitted");
            } else if (answers == answersExpected * 2 / 3) {
                kills.kill(Part.RELAY, "while two thirds were submitted");
            }
        });
        SubmitReport submissions = submit(accepted);
        phases.begin("drain 排空");
        Map<String, Integer> before = byPlatform(sandbox.targetsOf(accepted.externalIds(), allBefore));
        try (JdbcDemo database = new JdbcDemo(stack.home(), keys.tenant())) {
            AtomicBoolean once = new AtomicBoolean(DemoReport.total(before) > 0);
            long aThird = (long) accepted.externalIds().size() * Sample.PLATFORMS.size() / 3;
            boolean drained = new Drain(database, sandbox, accepted, progress).await(published -> {
                if (published >= aThird && once.compareAndSet(false, true)) {
                    kills.kill(Part.DISPATCHER, "while a third was posted");
                }
            });
            progress.accept(drained ? "drained" : "not drained in time; what is missing stands in the table");
            List<Kills.Kill> killed = kills.await();
            stack.awaitHealthy(HEALTHY_WITHIN);
            phases.begin("verify 核对");
            Map<String, Integer> posts = sandbox.targetsOf(accepted.externalIds(), sandbox.postsByMarker());
            Verdict verdict = verify();
            return new DemoReport(
                    seed,
                    sample,
                    accepted.externalIds().size(),
                    accepted.groupIds().size(),
                    submissions,
                    killed,
                    since(swallowedBefore, sandbox.swallowed()),
                    before,
                    byPlatform(posts),
                    (int) posts.values().stream().filter(times -> times > 1).count(),
                    sandbox.callbacks(accepted.externalIds()),
                    database.indexed(accepted),
                    search(),
                    database.targets(accepted.externalIds()),
                    verdict);
        }
    }

    private SubmitReport submit(Accepted accepted) throws InterruptedException {
        try (PostonceClient client =
                        new PostonceClient(keys.apiUrl(), keys.apiKey().reveal(), RetryPolicy.standard());
                LineSource lines = sample.open()) {
            SubmissionRun run = new SubmissionRun(client, CLIENTS, TIMES, Ids.random(), accepted);
            return run.run(lines, sample.form(stack.ports().url(Part.SANDBOX)));
        }
    }

    /** What is only not there yet gets a moment; anything else is told at once. */
    private Verdict verify() throws InterruptedException {
        Verification verification = new Verification(VerifySources.of(stack.home()), Clock.systemUTC(), line -> {});
        long end = System.nanoTime() + SETTLED_WITHIN.toNanos();
        Verdict verdict = verification.run("", Duration.ZERO);
        while (!verdict.isClean() && verdict.mayStillArrive() && System.nanoTime() - end < 0) {
            Waiting.until(Duration.ofSeconds(1), () -> false);
            verdict = verification.run("", Duration.ZERO);
        }
        return verdict;
    }

    private List<String> search() throws InterruptedException {
        String query = URLEncoder.encode(DemoReport.SEARCHED, StandardCharsets.UTF_8);
        List<String> titles = new ArrayList<>();
        try {
            for (JsonNode hit : new JsonOverHttp()
                    .get(stack.ports().url(Part.INDEX) + "/v1/search?q=" + query, keys.apiKey())
                    .path("hits")) {
                titles.add(hit.path("title").asString(hit.path("name").asString("")));
            }
        } catch (CouldNotReadException e) {
            progress.accept("search did not answer: " + e.getMessage());
        }
        return titles;
    }

    private static Map<String, Integer> byPlatform(Map<String, Integer> posts) {
        Map<String, Integer> counts = new TreeMap<>();
        posts.forEach((target, times) -> counts.merge(target.substring(0, target.indexOf('/')), times, Integer::sum));
        return counts;
    }

    private static Map<String, Long> since(Map<String, Long> before, Map<String, Long> now) {
        Map<String, Long> since = new TreeMap<>();
        now.forEach((platform, count) -> since.put(platform, count - before.getOrDefault(platform, 0L)));
        return since;
    }
}
