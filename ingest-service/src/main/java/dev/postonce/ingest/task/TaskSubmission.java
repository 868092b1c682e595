package dev.postonce.ingest.task;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A submission whose fields are well-formed.
 *
 * @param externalId as given, else derived by {@link ExternalIds}
 * @param source the content as it was sent
 * @param targetPlatforms wire names, each once, in the order given
 */
public record TaskSubmission(
        String externalId,
        @Nullable String businessRefId,
        String groupCode,
        String title,
        Media media,
        String source,
        @Nullable String coverUrl,
        @Nullable String summary,
        List<String> tags,
        @Nullable String category,
        List<String> targetPlatforms,
        @Nullable String callbackUrl,
        @Nullable String canonicalUrl,
        @Nullable Instant publishAt,
        @Nullable String site,
        @Nullable String slug,
        @Nullable String language,
        @Nullable String translationKey) {

    /** In which field the content came. */
    public enum Media {
        HTML("content_html", "html"),
        MARKDOWN("content_md", "markdown");

        private final String field;
        private final String stored;

        Media(String field, String stored) {
            this.field = field;
            this.stored = stored;
        }

        public String field() {
            return field;
        }

        String stored() {
            return stored;
        }
    }
}
