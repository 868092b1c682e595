package dev.postonce.standalone.review;

import dev.postonce.runtime.http.HttpCall;
import dev.postonce.runtime.http.HttpOutcome;
import dev.postonce.runtime.http.SafeHttpClient;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Asks public addresses whether they show what they should: a few at a time, each once, no redirect followed. */
final class UrlCheck {

    private static final int AT_ONCE = 4;
    private static final int OK_MIN = 200;
    private static final int REDIRECT_MIN = 300;

    /**
     * @param shown whether readers are to find the article there
     */
    record Page(String externalId, String url, boolean shown) {}

    /** What is not as it should be. */
    record Wrong(String externalId, String url, String detail) {}

    private final SafeHttpClient http;

    UrlCheck(SafeHttpClient http) {
        this.http = http;
    }

    List<Wrong> ask(List<Page> pages) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE);
        try {
            List<Future<Optional<Wrong>>> asked = new ArrayList<>();
            for (Page page : pages) {
                asked.add(threads.submit(() -> ask(page)));
            }
            List<Wrong> wrong = new ArrayList<>();
            for (Future<Optional<Wrong>> answer : asked) {
                answer.get().ifPresent(wrong::add);
            }
            return List.copyOf(wrong);
        } catch (ExecutionException e) {
            throw new IllegalStateException("a page could not be asked for", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }

    private Optional<Wrong> ask(Page page) {
        URI url;
        try {
            url = new URI(page.url());
        } catch (URISyntaxException e) {
            return Optional.of(new Wrong(page.externalId(), page.url(), "is not a URL"));
        }
        @Nullable String detail = judge(page, http.send(HttpCall.get(url, Map.of("Accept", "text/html, */*"))));
        return detail == null ? Optional.empty() : Optional.of(new Wrong(page.externalId(), page.url(), detail));
    }

    private static @Nullable String judge(Page page, HttpOutcome outcome) {
        if (outcome instanceof HttpOutcome.Answered answered) {
            boolean there = answered.status() >= OK_MIN && answered.status() < REDIRECT_MIN;
            if (page.shown()) {
                return there ? null : "answers " + answered.status() + " where the article should be";
            }
            return there ? "still answers " + answered.status() + " although the article was withdrawn as gone" : null;
        }
        if (outcome instanceof HttpOutcome.NotSent notSent) {
            return page.shown() ? "cannot be asked: " + notSent.code() + " (" + notSent.detail() + ")" : null;
        }
        return page.shown() ? "does not answer" : null;
    }
}
