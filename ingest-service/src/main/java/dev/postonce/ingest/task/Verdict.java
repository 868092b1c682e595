package dev.postonce.ingest.task;

import dev.postonce.ingest.web.Refusal;
import java.util.List;

/** What a submission means, where a task or a key of its name is there already. */
sealed interface Verdict {

    /** It is not accepted. */
    record Refused(Refusal refusal) implements Verdict {}

    /**
     * It is known; nothing changes.
     *
     * @param kind by what it was recognised: {@code header}, {@code natural} or {@code slug}
     * @param contentDiffers fields that differ and were not taken over
     * @param notAdded platforms that were asked for and not added
     */
    record Replayed(KnownTask task, String kind, List<String> contentDiffers, List<String> notAdded)
            implements Verdict {}

    /** The task is known, the platforms are new. */
    record Extends(KnownTask task, List<String> newPlatforms, List<String> contentDiffers) implements Verdict {}

    /** Nothing of it is there: try to be the first. */
    record Unknown() implements Verdict {}
}
