package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.http.Answer;
import dev.postonce.sandbox.http.SandboxRequest;
import dev.postonce.sandbox.journal.Json;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Listing and reading posts. */
final class PostReader {

    private static final int PER_PAGE_MAX = 100;
    private static final String LISTABLE =
            "publish, future, draft, pending, private, trash, auto-draft, inherit, request-pending, "
                    + "request-confirmed, request-failed, request-completed";
    private static final String ORDERS =
            "author, date, id, include, modified, parent, relevance, slug, include_slugs, and title";
    private static final Pattern TERM = Pattern.compile("\"[^\"]*\"?|[^\\t \",+]+");
    private static final Pattern MARK = Pattern.compile("po1-[0-9a-f]{32}");

    private final InstantSource clock;

    PostReader(InstantSource clock) {
        this.clock = clock;
    }

    Answer list(WordPressSite site, String siteUrl, @Nullable WordPressUser user, SandboxRequest request) {
        Instant now = clock.instant();
        int perPage = number(request, "per_page", 10, PER_PAGE_MAX);
        int page = number(request, "page", 1, Integer.MAX_VALUE);
        Set<PostStatus> statuses = statuses(request, user);
        boolean edit = context(request).equals("edit");
        if (edit && user == null) {
            throw RestError.of(
                    401, "rest_forbidden_context", "Sorry, you are not allowed to edit posts in this post type.");
        }
        List<StoredPost> found = new ArrayList<>();
        List<String> slugs =
                request.listParameter("slug").stream().map(Slugs::sanitize).toList();
        for (StoredPost post : candidates(site, slugs, request.parameter("search"))) {
            if (statuses.contains(post.post().statusAt(now)) && matches(site, post, request)) {
                found.add(post);
            }
        }
        found.sort(order(request));
        long total = found.size();
        long pages = (total + perPage - 1) / perPage;
        if (page > pages && total > 0) {
            throw RestError.of(
                    400,
                    "rest_post_invalid_page_number",
                    "The page number requested is larger than the number of pages available.");
        }
        ArrayNode json = Json.mapper().createArrayNode();
        long first = (page - 1L) * perPage;
        for (long i = first; i < Math.min(total, first + perPage); i++) {
            StoredPost post = found.get((int) i);
            if (edit ? user != null && user.mayEdit(post.post()) : mayRead(user, post.post(), now)) {
                json.add(PostJson.only(
                        PostJson.of(post.post(), site.texts(post), siteUrl, edit, now),
                        request.listParameter("_fields")));
            }
        }
        return Answer.json(200, json)
                .with("X-WP-Total", String.valueOf(total))
                .with("X-WP-TotalPages", String.valueOf(pages));
    }

    Answer one(WordPressSite site, String siteUrl, @Nullable WordPressUser user, long id, SandboxRequest request) {
        Instant now = clock.instant();
        boolean edit = context(request).equals("edit");
        StoredPost post = site.get(id);
        if (edit && (user == null || !user.mayEdit(post.post()))) {
            int status = user == null ? 401 : 403;
            throw RestError.of(status, "rest_forbidden_context", "Sorry, you are not allowed to edit this post.");
        }
        if (!mayRead(user, post.post(), now)) {
            throw RestError.of(user == null ? 401 : 403, "rest_forbidden", "Sorry, you are not allowed to do that.");
        }
        return Answer.json(
                200,
                PostJson.only(
                        PostJson.of(post.post(), site.texts(post), siteUrl, edit, now),
                        request.listParameter("_fields")));
    }

    private static boolean mayRead(@Nullable WordPressUser user, Post post, Instant now) {
        return post.statusAt(now) == PostStatus.PUBLISH || (user != null && user.mayEdit(post));
    }

    private static List<StoredPost> candidates(WordPressSite site, List<String> slugs, @Nullable String search) {
        if (slugs.isEmpty()) {
            return search != null && MARK.matcher(search).matches() ? site.withMarker(search) : site.all();
        }
        List<StoredPost> found = new ArrayList<>();
        for (String slug : Set.copyOf(slugs)) {
            found.addAll(site.withSlug(slug));
        }
        return found;
    }

    private static boolean matches(WordPressSite site, StoredPost post, SandboxRequest request) {
        List<String> include = request.listParameter("include");
        List<String> exclude = request.listParameter("exclude");
        String id = String.valueOf(post.post().id());
        if ((!include.isEmpty() && !include.contains(id)) || exclude.contains(id)) {
            return false;
        }
        String search = request.parameter("search");
        return search == null || search.isBlank() || hasAllTerms(site, post, search);
    }

    /** Every word must stand somewhere in title, excerpt or content; a word after a dash must not. */
    private static boolean hasAllTerms(WordPressSite site, StoredPost post, String search) {
        PostTexts texts = null;
        Matcher terms = TERM.matcher(search.toLowerCase(Locale.ROOT));
        while (terms.find()) {
            String term = terms.group().replace("\"", "").strip();
            boolean wanted = !term.startsWith("-") || term.length() < 2;
            String word = wanted ? term : term.substring(1);
            boolean contained;
            if (MARK.matcher(word).matches()) {
                // Marks are indexed; all else is read from the journal.
                contained = post.markers().all().contains(word);
            } else {
                texts = texts == null ? site.texts(post) : texts;
                contained = texts.contains(word);
            }
            if (contained != wanted) {
                return false;
            }
        }
        return true;
    }

    /** {@code any} leaves out the trash. */
    private static Set<PostStatus> statuses(SandboxRequest request, @Nullable WordPressUser user) {
        Set<PostStatus> statuses = EnumSet.noneOf(PostStatus.class);
        for (String word : request.listParameter("status")) {
            if (word.equals("publish")) {
                statuses.add(PostStatus.PUBLISH);
                continue;
            }
            if (user == null) {
                ObjectNode inner = Json.object().put("status", 401);
                throw RestError.invalidParameter("status", "Status is forbidden.", "rest_forbidden_status", inner);
            }
            if (word.equals("any")) {
                statuses.addAll(EnumSet.complementOf(EnumSet.of(PostStatus.TRASH)));
                continue;
            }
            PostStatus status = PostStatus.find(word);
            if (status == null) {
                throw RestError.notInEnum("status", "status[0] is not one of " + LISTABLE + ", and any.");
            }
            statuses.add(status);
        }
        return statuses.isEmpty() ? EnumSet.of(PostStatus.PUBLISH) : statuses;
    }

    private static Comparator<StoredPost> order(SandboxRequest request) {
        Comparator<StoredPost> byId =
                Comparator.comparingLong(post -> post.post().id());
        String orderBy = request.parameter("orderby");
        Comparator<StoredPost> order =
                switch (orderBy == null ? "date" : orderBy) {
                    case "id", "include" -> byId;
                    case "slug" ->
                        Comparator.comparing((StoredPost post) -> post.post().slug());
                    case "title" -> Comparator.comparing(StoredPost::titleStart);
                    case "modified" ->
                        Comparator.comparing(
                                (StoredPost post) -> post.post().times().modified());
                    case "author" ->
                        Comparator.comparing((StoredPost post) -> post.post().authorId());
                    case "date", "relevance" ->
                        Comparator.comparing(
                                (StoredPost post) -> post.post().times().date());
                    default -> throw RestError.notInEnum("orderby", "orderby is not one of " + ORDERS + ".");
                };
        Comparator<StoredPost> directed = "asc".equals(request.parameter("order")) ? order : order.reversed();
        // Ties stand as the table gives them.
        return directed.thenComparing(byId);
    }

    private static String context(SandboxRequest request) {
        String context = request.parameter("context");
        if (context == null || context.isEmpty()) {
            return "view";
        }
        if (!Set.of("view", "embed", "edit").contains(context)) {
            throw RestError.notInEnum("context", "context is not one of view, embed, and edit.");
        }
        return context;
    }

    private static int number(SandboxRequest request, String name, int absent, int max) {
        String text = request.parameter(name);
        if (text == null) {
            return absent;
        }
        if (!text.matches("-?[0-9]{1,9}")) {
            throw RestError.wrongType(name, name, "integer");
        }
        int value = Integer.parseInt(text);
        if (value < 1 || value > max) {
            String message = name + " must be between 1 (inclusive) and " + max + " (inclusive)";
            throw RestError.invalidParameter(name, message, "rest_out_of_bounds", null);
        }
        return value;
    }
}
