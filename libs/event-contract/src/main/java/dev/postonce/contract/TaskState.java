package dev.postonce.contract;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data of {@code dev.postonce.task.state.v1}: a task's whole state. A function of the task row alone, so that
 * the present state can be emitted again, byte for byte.
 *
 * @param taskId the resource id, a UUID
 * @param version equals the envelope's aggregate version
 * @param status {@code active}, {@code draft} or {@code archived}; the last two mean withdrawn
 * @param deleted whether it is to vanish from the index: true when withdrawn
 * @param withdrawnPublic of a withdrawn task: {@code gone} takes its posts back, {@code keep} leaves those that are out
 *     and makes no more; null means {@code gone}
 * @param contentHtml sanitised; what a platform is sent
 * @param contentMd the Markdown that it was made from, where it was submitted so
 * @param targetPlatforms wire names of {@link Platform}, in the order of their acceptance
 * @param publishAt not before this time
 * @param articleDigest {@link Digests#ofCanonicalJson} over what a platform would show
 * @param contentDigest {@link Digests#ofState} over this whole record but itself
 */
public record TaskState(
        String tenantId,
        String taskId,
        String externalId,
        long version,
        String status,
        boolean deleted,
        @Nullable String withdrawnPublic,
        @Nullable String businessRefId,
        String groupCode,
        String title,
        String contentHtml,
        @Nullable String contentMd,
        @Nullable String coverUrl,
        @Nullable String summary,
        List<String> tags,
        @Nullable String category,
        List<String> targetPlatforms,
        @Nullable String canonicalUrl,
        @Nullable Instant publishAt,
        @Nullable String site,
        @Nullable String slug,
        @Nullable String language,
        @Nullable String translationKey,
        String articleDigest,
        String contentDigest) {

    /** Without {@code withdrawnPublic}: a task that is not withdrawn, or whose posts are taken back. */
    public TaskState(
            String tenantId,
            String taskId,
            String externalId,
            long version,
            String status,
            boolean deleted,
            @Nullable String businessRefId,
            String groupCode,
            String title,
            String contentHtml,
            @Nullable String contentMd,
            @Nullable String coverUrl,
            @Nullable String summary,
            List<String> tags,
            @Nullable String category,
            List<String> targetPlatforms,
            @Nullable String canonicalUrl,
            @Nullable Instant publishAt,
            @Nullable String site,
            @Nullable String slug,
            @Nullable String language,
            @Nullable String translationKey,
            String articleDigest,
            String contentDigest) {
        this(
                tenantId,
                taskId,
                externalId,
                version,
                status,
                deleted,
                null,
                businessRefId,
                groupCode,
                title,
                contentHtml,
                contentMd,
                coverUrl,
                summary,
                tags,
                category,
                targetPlatforms,
                canonicalUrl,
                publishAt,
                site,
                slug,
                language,
                translationKey,
                articleDigest,
                contentDigest);
    }

    /** Value of {@code withdrawnPublic}: posts that are out stay out. */
    public static final String KEEP = "keep";

    /** Value of {@code withdrawnPublic}: posts are taken back. */
    public static final String GONE = "gone";

    /** Whether it is withdrawn and its posts stay where they are. */
    public boolean keepsPosts() {
        return deleted && KEEP.equals(withdrawnPublic);
    }
}
