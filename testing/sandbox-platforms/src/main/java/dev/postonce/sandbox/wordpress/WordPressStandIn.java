package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.fault.FaultSettings;
import dev.postonce.sandbox.http.Answer;
import dev.postonce.sandbox.http.Recording;
import dev.postonce.sandbox.http.RequestLog;
import dev.postonce.sandbox.http.SandboxRequest;
import dev.postonce.sandbox.http.StandIn;
import dev.postonce.sandbox.journal.JournalRef;
import dev.postonce.sandbox.journal.Json;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** WordPress sites under {@code /wordpress/NAME}; a site is there as soon as it is spoken to. */
public final class WordPressStandIn implements StandIn {

    static final String POSTS = "/wp-json/wp/v2/posts";

    private static final Pattern ONE_POST = Pattern.compile(POSTS + "/([0-9]{1,18})/?");
    private static final int SITES_MAX = 1000;

    private final Accounts accounts;
    private final RequestLog log;
    private final InstantSource clock;
    private final Supplier<String> baseUrl;
    private final PostReader reader;
    private final PostWriter writer;
    private final Map<String, WordPressSite> sites = new ConcurrentSkipListMap<>();

    public WordPressStandIn(
            List<WordPressUser> users,
            RequestLog log,
            InstantSource clock,
            Supplier<String> baseUrl,
            Runnable raceWindow) {
        this.accounts = new Accounts(users);
        this.log = log;
        this.clock = clock;
        this.baseUrl = baseUrl;
        this.reader = new PostReader(clock);
        this.writer = new PostWriter(clock, raceWindow);
    }

    @Override
    public String platform() {
        return "wordpress";
    }

    @Override
    public boolean changesSomething(SandboxRequest request) {
        return !request.method().equals("GET") && !request.method().equals("HEAD");
    }

    @Override
    public boolean createsPost(SandboxRequest request) {
        return request.method().equals("POST") && request.path().matches(POSTS + "/?");
    }

    @Override
    public Answer act(SandboxRequest request, Recording recording) {
        WordPressSite site = site(request.account());
        try {
            return request.path().startsWith("/wp-json")
                    ? rest(site, request, recording)
                    : PublicPages.page(site, siteUrl(site.name()), request, clock.instant());
        } catch (RestError e) {
            return e.toAnswer();
        }
    }

    private Answer rest(WordPressSite site, SandboxRequest request, Recording recording) {
        @Nullable WordPressUser user = accounts.authenticate(request.header("authorization"));
        String path = request.path();
        Matcher onePost = ONE_POST.matcher(path);
        if (path.matches(POSTS + "/?")) {
            switch (request.method()) {
                case "GET", "HEAD" -> {
                    return reader.list(site, siteUrl(site.name()), user, request);
                }
                case "POST" -> {
                    return create(site, user, request, recording);
                }
                default -> throw noRoute();
            }
        }
        if (onePost.matches()) {
            long id = Long.parseLong(onePost.group(1));
            switch (request.method()) {
                case "GET", "HEAD" -> {
                    return reader.one(site, siteUrl(site.name()), user, id, request);
                }
                case "POST", "PUT", "PATCH" -> {
                    return update(site, user, id, request, recording);
                }
                case "DELETE" -> {
                    return delete(site, user, id, request, recording);
                }
                default -> throw noRoute();
            }
        }
        if (path.matches("/wp-json/wp/v2/users/me/?") && request.method().equals("GET")) {
            return me(user, siteUrl(site.name()));
        }
        if (path.matches("/wp-json/?") && request.method().equals("GET")) {
            ObjectNode index =
                    Json.object().put("name", "Sandbox " + site.name()).put("home", siteUrl(site.name()));
            index.putArray("namespaces").add("wp/v2");
            return Answer.json(200, index);
        }
        throw noRoute();
    }

    private Answer create(
            WordPressSite site, @Nullable WordPressUser user, SandboxRequest request, Recording recording) {
        PostInput input = PostInput.of(request);
        JsonNode id = PostInput.members(request).get("id");
        if (id != null && id.asLong(0) != 0) {
            throw RestError.of(400, "rest_post_exists", "Cannot create existing post.");
        }
        WordPressUser creator = mayName(user, input, "rest_cannot_edit_others", "create posts as this user");
        if (creator == null) {
            throw RestError.of(401, "rest_cannot_create", "Sorry, you are not allowed to create posts as this user.");
        }
        StoredPost post = writer.create(site, creator, input, recording);
        return answer(201, site, post).with("Location", PostJson.resource(post.post(), siteUrl(site.name())));
    }

    private Answer update(
            WordPressSite site, @Nullable WordPressUser user, long id, SandboxRequest request, Recording recording) {
        PostInput input = PostInput.of(request);
        StoredPost before = site.get(id);
        if (user == null || !user.mayEdit(before.post())) {
            throw RestError.of(
                    user == null ? 401 : 403, "rest_cannot_edit", "Sorry, you are not allowed to edit this post.");
        }
        mayName(user, input, "rest_cannot_edit_others", "update posts as this user");
        return answer(200, site, writer.update(site, user, id, input, recording));
    }

    private @Nullable WordPressUser mayName(@Nullable WordPressUser user, PostInput input, String code, String action) {
        Long authorId = input.authorId();
        if (authorId != null && authorId != 0 && (user == null || user.id() != authorId)) {
            if (user == null || user.role() != WordPressUser.Role.ADMINISTRATOR) {
                throw RestError.of(user == null ? 401 : 403, code, "Sorry, you are not allowed to " + action + ".");
            }
            if (accounts.byId(authorId) == null) {
                throw RestError.of(400, "rest_invalid_author", "Invalid author ID.");
            }
        }
        return user;
    }

    private Answer delete(
            WordPressSite site, @Nullable WordPressUser user, long id, SandboxRequest request, Recording recording) {
        StoredPost before = site.get(id);
        if (user == null || !user.mayEdit(before.post())) {
            throw RestError.of(
                    user == null ? 401 : 403, "rest_cannot_delete", "Sorry, you are not allowed to delete this post.");
        }
        String force = request.parameter("force");
        if (force == null) {
            force = Json.text(PostInput.members(request), "force");
        }
        if ("true".equals(force) || "1".equals(force)) {
            ObjectNode json = Json.object().put("deleted", true);
            json.set("previous", render(site, before));
            site.delete(id, recording);
            return Answer.json(200, json);
        }
        return answer(200, site, writer.trash(site, id, recording));
    }

    private static Answer me(@Nullable WordPressUser user, String siteUrl) {
        if (user == null) {
            throw RestError.of(401, "rest_not_logged_in", "You are not currently logged in.");
        }
        ObjectNode json = Json.object();
        json.put("id", user.id()).put("name", user.name()).put("url", "").put("description", "");
        json.put("link", siteUrl + "/author/" + user.name() + "/").put("slug", Slugs.sanitize(user.name()));
        json.putArray("meta");
        return Answer.json(200, json);
    }

    private Answer answer(int status, WordPressSite site, StoredPost post) {
        return Answer.json(status, render(site, post));
    }

    private ObjectNode render(WordPressSite site, StoredPost post) {
        return PostJson.of(post.post(), site.texts(post), siteUrl(site.name()), true, clock.instant());
    }

    private static RestError noRoute() {
        return RestError.of(404, "rest_no_route", "No route was found matching the URL and request method.");
    }

    private String siteUrl(String site) {
        return baseUrl.get() + "/wordpress/" + site;
    }

    private WordPressSite site(String name) {
        if (sites.size() >= SITES_MAX && !sites.containsKey(name)) {
            throw new IllegalStateException("the sandbox has at most " + SITES_MAX + " sites");
        }
        return sites.computeIfAbsent(name, key -> new WordPressSite(key, log));
    }

    @Override
    public Answer tooManyRequests(FaultSettings settings) {
        return RestError.of(429, "too_many_requests", "Too many requests.").toAnswer();
    }

    @Override
    public void replay(JsonNode line, JournalRef ref) {
        JsonNode effect = line.get("effect");
        if (effect != null) {
            site(line.get("account").asString()).replay(effect, ref);
        }
    }

    @Override
    public void clear() {
        sites.clear();
    }

    public List<String> siteNames() {
        return List.copyOf(sites.keySet());
    }

    /** Every post of a site, the trash included, for those who look for doubles. */
    public List<ObjectNode> report(String siteName) {
        WordPressSite site = sites.get(siteName);
        return site == null
                ? List.of()
                : site.all().stream()
                        .map(post -> SitePostReport.of(post, siteUrl(siteName), clock.instant()))
                        .toList();
    }
}
