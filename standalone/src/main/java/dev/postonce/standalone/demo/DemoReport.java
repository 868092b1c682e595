package dev.postonce.standalone.demo;

import dev.postonce.standalone.submit.SubmitReport;
import dev.postonce.standalone.verify.Verdict;
import java.util.List;
import java.util.Map;

/**
 * What the demo did, and what the world saw of it.
 *
 * @param groups that the spellings folded to
 * @param postsBefore of the demo's articles, by platform, before this run
 * @param posts the same after it
 * @param doubles targets that were posted more than once
 * @param swallowed answers that the sandbox swallowed in this run, by platform
 * @param indexed of {@code articles + groups}
 * @param found titles that a search for {@link #SEARCHED} finds
 * @param states targets by state at the end
 */
record DemoReport(
        long seed,
        Sample sample,
        int articles,
        int groups,
        SubmitReport submissions,
        List<Kills.Kill> kills,
        Map<String, Long> swallowed,
        Map<String, Integer> postsBefore,
        Map<String, Integer> posts,
        int doubles,
        Sandbox.Callbacks callbacks,
        long indexed,
        List<String> found,
        Map<String, Long> states,
        Verdict verdict) {

    static final String SEARCHED = "促销";

    int postsExpected() {
        return articles * Sample.PLATFORMS.size();
    }

    int newPosts() {
        return total(posts) - total(postsBefore);
    }

    boolean isGood() {
        return submissions.allAccepted()
                && articles == sample.articles()
                && total(posts) == postsExpected()
                && doubles == 0
                && states.getOrDefault("published", 0L) == postsExpected()
                && callbacks.distinct() == postsExpected()
                && indexed == articles + groups
                && !found.isEmpty()
                && verdict.isClean();
    }

    static int total(Map<String, Integer> byPlatform) {
        return byPlatform.values().stream().mapToInt(Integer::intValue).sum();
    }
}
