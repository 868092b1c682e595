package dev.postonce.ingest.task;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored task without its content: what is compared, and what is answered.
 *
 * @param contentKnown whether exactly the submitted content was accepted for it before
 * @param url where its site shows it, else its canonical URL
 */
public record KnownTask(
        UUID taskId,
        String externalId,
        long version,
        String status,
        String groupCode,
        List<String> targetPlatforms,
        Shown shown,
        @Nullable String url,
        List<TargetView> targets,
        boolean contentKnown,
        Instant acceptedAt,
        Instant updatedAt,
        @Nullable Withdrawal withdrawal) {

    static final String ACTIVE = "active";

    /**
     * Who took a task back, and why.
     *
     * @param by the client
     * @param posts {@code keep} or {@code gone}
     */
    public record Withdrawal(Instant at, @Nullable String by, @Nullable String reason, String posts) {}

    /** The fields that a submission is compared with. */
    public record Shown(
            String title,
            String htmlDigest,
            @Nullable String coverUrl,
            @Nullable String summary,
            List<String> tags,
            @Nullable String category,
            @Nullable String canonicalUrl,
            @Nullable Instant publishAt,
            @Nullable String site,
            @Nullable String slug,
            @Nullable String language,
            @Nullable String translationKey,
            @Nullable String businessRefId,
            @Nullable String callbackUrl) {

        static Shown by(TaskSubmission submission, Article article) {
            return new Shown(
                    submission.title(),
                    article.htmlDigest(),
                    submission.coverUrl(),
                    submission.summary(),
                    submission.tags(),
                    submission.category(),
                    submission.canonicalUrl(),
                    submission.publishAt(),
                    submission.site(),
                    submission.slug(),
                    submission.language(),
                    submission.translationKey(),
                    submission.businessRefId(),
                    submission.callbackUrl());
        }
    }

    /** One post, as it is told to the upstream. */
    public record TargetView(
            String platform,
            String state,
            long taskVersion,
            @Nullable Long shownTaskVersion,
            @Nullable String platformUrl,
            @Nullable Instant observedAt,
            @Nullable String errorCode) {

        static TargetView pending(String platform, long taskVersion) {
            return new TargetView(platform, "pending", taskVersion, null, null, null, null);
        }

        TargetView toShow(long version) {
            return new TargetView(platform, state, version, shownTaskVersion, platformUrl, observedAt, errorCode);
        }
    }

    boolean isWithdrawn() {
        return !status.equals(ACTIVE);
    }

    /** The same task in its next version; targets in the order of their platforms. */
    KnownTask next(long nextVersion, List<String> platforms, List<TargetView> nextTargets, Instant now) {
        return new KnownTask(
                taskId,
                externalId,
                nextVersion,
                status,
                groupCode,
                platforms,
                shown,
                url,
                nextTargets,
                contentKnown,
                acceptedAt,
                now,
                withdrawal);
    }

    KnownTask showing(Shown nextShown, @Nullable String nextUrl) {
        return new KnownTask(
                taskId,
                externalId,
                version,
                status,
                groupCode,
                targetPlatforms,
                nextShown,
                nextUrl,
                targets,
                true,
                acceptedAt,
                updatedAt,
                withdrawal);
    }

    KnownTask standing(String nextStatus, @Nullable Withdrawal nextWithdrawal) {
        return new KnownTask(
                taskId,
                externalId,
                version,
                nextStatus,
                groupCode,
                targetPlatforms,
                shown,
                url,
                targets,
                contentKnown,
                acceptedAt,
                updatedAt,
                nextWithdrawal);
    }

    /** Its targets, all of which are to show that version now, and new ones behind them. */
    List<TargetView> targetsFor(long taskVersion, List<String> added) {
        List<TargetView> all = new ArrayList<>();
        targets.forEach(target -> all.add(target.toShow(taskVersion)));
        added.forEach(platform -> all.add(TargetView.pending(platform, taskVersion)));
        return List.copyOf(all);
    }
}
