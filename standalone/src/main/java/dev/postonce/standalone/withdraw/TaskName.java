package dev.postonce.standalone.withdraw;

import dev.postonce.client.PostonceClient;
import dev.postonce.client.SubmitResult;
import dev.postonce.client.SubmitResult.GaveUp;
import dev.postonce.client.SubmitResult.Refused;
import dev.postonce.client.SubmitResult.Replayed;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;

/** Which task: by its external id, or by its slug; use as {@code @Mixin}. */
final class TaskName {

    private static final Pattern EXTERNAL_ID = Pattern.compile("[A-Za-z0-9_-]{1,64}");

    static final class IdOrSlug {

        @Option(names = "--external-id", required = true, paramLabel = "ID", description = "The task's external id.")
        @Nullable
        String externalId;

        @Option(names = "--slug", required = true, paramLabel = "SLUG", description = "The article's slug. 文章 slug")
        @Nullable
        String slug;
    }

    @ArgGroup(multiplicity = "1")
    private IdOrSlug name;

    @Option(names = "--site", paramLabel = "SITE", description = "The slug's site, where several have it. 站点")
    private @Nullable String site;

    @SuppressWarnings("NullAway.Init") // picocli sets the annotated fields before it calls
    TaskName() {}

    /** What looking for the task came to. */
    sealed interface Found {

        /** @param task as it stands */
        record One(JsonNode task) implements Found {}

        record None(String why) implements Found {}

        record NoAnswer(String why) implements Found {}
    }

    String describe() {
        return name.externalId != null
                ? "external id " + name.externalId
                : "slug " + name.slug + (site == null ? "" : " of site " + site);
    }

    Found find(PostonceClient client) throws InterruptedException {
        if (name.externalId != null && !EXTERNAL_ID.matcher(name.externalId).matches()) {
            return new Found.None("an external id has 1 to 64 of A-Z a-z 0-9 _ -");
        }
        SubmitResult result = client.read(name.externalId != null ? "/v1/tasks/" + name.externalId : bySlug());
        if (result instanceof Refused refused) {
            return new Found.None(refused.problem().describe());
        } else if (result instanceof GaveUp gaveUp) {
            return new Found.NoAnswer(gaveUp.last().describe());
        }
        JsonNode body = ((Replayed) result).resource();
        return name.externalId != null ? new Found.One(body) : only(body.path("tasks"));
    }

    private String bySlug() {
        String query = "/v1/tasks?limit=2&slug=" + encoded(name.slug == null ? "" : name.slug);
        return site == null ? query : query + "&site=" + encoded(site);
    }

    private Found only(JsonNode tasks) {
        if (tasks.isEmpty()) {
            return new Found.None("there is no task of " + describe());
        }
        if (tasks.size() > 1) {
            return new Found.None("several sites have " + describe() + "; say which with --site");
        }
        return new Found.One(tasks.get(0));
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }
}
