package dev.postonce.dispatch.wordpress;

import dev.postonce.dispatch.account.WordPressAccount;
import dev.postonce.dispatch.connector.Answers;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.runtime.http.HttpCall;
import dev.postonce.runtime.http.HttpOutcome;
import dev.postonce.runtime.http.HttpOutcome.Answered;
import dev.postonce.runtime.http.SafeHttpClient;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The calls of WordPress's REST API that the connector needs, with one account. */
final class WordPressSite {

    private static final int PAGE = 100;

    private final SafeHttpClient http;
    private final InstantSource clock;
    private final WordPressAccount account;

    /** What a list call told. */
    sealed interface Listing {

        /** Nothing was left out. */
        record Complete(List<WordPressPost> posts) implements Listing {}

        /** @param why never more than {@link Outcome.NotSent} or a rate limit: a look-up has no effect */
        record Failed(Outcome why) implements Listing {}
    }

    /** Whether the account's password is any good. */
    enum Credential {
        GOOD,
        REJECTED,
        UNKNOWN
    }

    WordPressSite(SafeHttpClient http, InstantSource clock, WordPressAccount account) {
        this.http = http;
        this.clock = clock;
        this.account = account;
    }

    static URI postsUrl(String baseUrl) {
        return URI.create(baseUrl + "/wp-json/wp/v2/posts");
    }

    static URI postUrl(String baseUrl, String postId) {
        return URI.create(baseUrl + "/wp-json/wp/v2/posts/" + postId);
    }

    HttpOutcome call(String method, URI url, String contentType, byte[] body) {
        Map<String, String> headers = authorized();
        headers.put("Content-Type", contentType);
        return http.send(new HttpCall(method, url, headers, body));
    }

    HttpOutcome delete(String postId, boolean force) {
        String query = force ? "?force=true" : "";
        return http.send(
                new HttpCall("DELETE", URI.create(postUrl(account.baseUrl(), postId) + query), authorized(), null));
    }

    HttpOutcome get(String postId) {
        return http.send(HttpCall.get(URI.create(postUrl(account.baseUrl(), postId) + "?context=edit"), authorized()));
    }

    /** A list of one page; more than that, or a post that this account may not see, is not complete. */
    Listing list(Map<String, String> criteria) {
        Map<String, String> query = new LinkedHashMap<>(criteria);
        query.put("context", "edit");
        query.put("per_page", Integer.toString(PAGE));
        query.put("orderby", "id");
        query.put("order", "asc");
        query.put("_fields", "id,slug,status,link,title,content");
        StringJoiner text = new StringJoiner("&", "?", "");
        query.forEach((name, value) -> text.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        HttpOutcome outcome =
                http.send(HttpCall.get(URI.create(postsUrl(account.baseUrl()) + text.toString()), authorized()));
        if (!(outcome instanceof Answered answer) || answer.status() != 200) {
            return new Listing.Failed(withoutEffect(outcome));
        }
        return read(answer)
                .<Listing>map(Listing.Complete::new)
                .orElseGet(() -> new Listing.Failed(new Outcome.NotSent("lookup_incomplete", null)));
    }

    private static Optional<List<WordPressPost>> read(Answered answer) {
        Optional<JsonNode> tree = json(answer);
        String total = answer.header("x-wp-total").orElse("");
        if (answer.truncated() || tree.isEmpty() || !tree.get().isArray() || !total.matches("[0-9]{1,9}")) {
            return Optional.empty();
        }
        List<WordPressPost> posts = new ArrayList<>();
        for (JsonNode node : tree.get()) {
            Optional<WordPressPost> post = WordPressPost.of(node);
            if (post.isEmpty()) {
                return Optional.empty();
            }
            posts.add(post.get());
        }
        return posts.size() == Integer.parseInt(total) ? Optional.of(posts) : Optional.empty();
    }

    /** Why a call without effect came to nothing. */
    Outcome withoutEffect(HttpOutcome outcome) {
        if (outcome instanceof HttpOutcome.NotSent notSent) {
            return new Outcome.NotSent(notSent.code(), notSent.detail());
        } else if (outcome instanceof HttpOutcome.Unknown unknown) {
            return new Outcome.NotSent("lookup_" + unknown.code(), unknown.detail());
        }
        Answered answer = (Answered) outcome;
        return switch (answer.status()) {
            case 429 -> rateLimited(answer);
            case 400, 401, 403 ->
                new Outcome.NotSent(
                        credential() == Credential.REJECTED ? "credentials_rejected" : "lookup_refused",
                        errorCode(answer));
            case 404 -> new Outcome.NotSent("no_rest_api", errorCode(answer));
            default -> new Outcome.NotSent("lookup_http_" + answer.status(), errorCode(answer));
        };
    }

    Outcome rateLimited(Answered answer) {
        return new Outcome.RateLimited(Answers.retryAfter(answer, clock.instant()));
    }

    /** A wrong password makes WordPress answer as to a stranger, on a list even with 200; this call it refuses. */
    Credential credential() {
        HttpOutcome outcome = http.send(
                HttpCall.get(URI.create(account.baseUrl() + "/wp-json/wp/v2/users/me?context=edit"), authorized()));
        if (!(outcome instanceof Answered answer)) {
            return Credential.UNKNOWN;
        }
        if (answer.status() == 200 && json(answer).map(tree -> tree.has("id")).orElse(false)) {
            return Credential.GOOD;
        }
        return answer.status() == 401 || answer.status() == 403 ? Credential.REJECTED : Credential.UNKNOWN;
    }

    static Optional<WordPressPost> post(Answered answer) {
        return answer.truncated() ? Optional.empty() : json(answer).flatMap(WordPressPost::of);
    }

    /** The {@code code} of WordPress's error body; else the status. */
    static String errorCode(Answered answer) {
        String code =
                json(answer).map(tree -> tree.path("code").stringValue("")).orElse("");
        return code.matches("[a-z0-9_]{1,64}") ? code : "http_" + answer.status();
    }

    private static Optional<JsonNode> json(Answered answer) {
        try {
            return Optional.ofNullable(JsonMapper.shared().readTree(answer.body()));
        } catch (JacksonException e) {
            // A proxy's page, or an answer that was cut off; whoever asked draws no conclusion from it.
            return Optional.empty();
        }
    }

    private Map<String, String> authorized() {
        Map<String, String> headers = new LinkedHashMap<>();
        String pair = account.username() + ":" + account.password().reveal();
        headers.put(
                "Authorization", "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8)));
        headers.put("Accept", "application/json");
        return headers;
    }
}
