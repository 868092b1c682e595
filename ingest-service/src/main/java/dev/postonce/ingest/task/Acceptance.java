package dev.postonce.ingest.task;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is answered to an accepted or repeated submission.
 *
 * @param created whether it is the first of its kind
 * @param replay whether nothing changed
 * @param contentDiffers fields that differ from the stored ones and were not taken over
 * @param notAdded platforms that were asked for and not added
 */
public record Acceptance(
        KnownTask task,
        boolean created,
        boolean replay,
        List<String> addedPlatforms,
        List<String> contentDiffers,
        List<String> notAdded,
        @Nullable String possibleDuplicateOf) {}
