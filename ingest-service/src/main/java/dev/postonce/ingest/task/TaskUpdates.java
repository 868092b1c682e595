package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.task.JdbcTaskChanges.Replacement;
import dev.postonce.ingest.task.JdbcTaskChanges.Site;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.task.TaskStates.Standing;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.FailPoint;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.dao.DuplicateKeyException;

/**
 * Replaces articles. The task is read without a lock, the next version is made of what was read, and the one statement
 * that writes it does so only while the task still has that version; else all is asked anew.
 */
public final class TaskUpdates {

    static final String ROUTE = "PUT /v1/tasks/{external_id}";
    private static final int ATTEMPTS_MAX = 6;

    private final JdbcTaskChanges changes;
    private final JdbcTaskReads reads;
    private final JdbcRequests requests;
    private final Replays replays;
    private final ContentCleaner cleaner;

    public TaskUpdates(
            JdbcTaskChanges changes,
            JdbcTaskReads reads,
            JdbcRequests requests,
            Replays replays,
            ContentCleaner cleaner) {
        this.changes = changes;
        this.reads = reads;
        this.requests = requests;
        this.replays = replays;
        this.cleaner = cleaner;
    }

    /** One update on its way. */
    private record Work(Exchange exchange, Principal caller, TaskUpdate update, Article article) {

        TaskSubmission submission() {
            return update.article();
        }
    }

    /** @throws Refusal for whatever is final or to be tried again */
    Acceptance update(Exchange exchange, Principal caller, TaskUpdate update) {
        Work work = new Work(exchange, caller, update, Article.of(update.article(), cleaner));
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<Acceptance> acceptance = attempt(work);
            if (acceptance.isPresent()) {
                return acceptance.get();
            }
        }
        throw Refusal.of(ErrorCode.STORAGE_FAILED, "the task kept changing while it was asked for; nothing was stored");
    }

    private Optional<Acceptance> attempt(Work work) {
        Instant now = replays.now();
        KeyBinding binding = replays.binding(work.exchange(), work.caller(), ROUTE, now, Outcome.UPDATED, 200);
        Known known = reads.known(binding, work.submission(), work.article());
        if (known.hasExpiredKey(now)) {
            requests.forgetExpired(binding);
        }
        UpdateRules.Decision decision = UpdateRules.judge(
                work.update(), work.article(), known, work.exchange().payloadDigest(), now);
        if (decision instanceof UpdateRules.Decision.Repeated repeated) {
            return replays.answer(work.exchange(), work.caller(), ROUTE, repeated.replay());
        }
        return replace(work, (UpdateRules.Decision.Changes) decision, binding);
    }

    private Optional<Acceptance> replace(Work work, UpdateRules.Decision.Changes change, KeyBinding binding) {
        KnownTask task = change.task();
        TaskState next = TaskStates.of(
                new Standing(
                        work.caller().tenantId(),
                        task.taskId().toString(),
                        task.version() + 1,
                        task.groupCode(),
                        TaskStates.joined(task.targetPlatforms(), change.newPlatforms())),
                work.submission(),
                work.article());
        UUID eventId = replays.nextId();
        Replacement replacement = new Replacement(
                eventId, next, TaskStates.encode(next), work.submission(), work.article(), change.newPlatforms());
        List<String> changed = new ArrayList<>(Differences.ofContent(work.submission(), work.article(), task.shown()));
        changed.addAll(Differences.ofHandling(work.submission(), task.shown()));
        AuditRow audit = new AuditRow(
                work.exchange(),
                binding.now(),
                Outcome.UPDATED,
                200,
                null,
                next.version(),
                AuditDetail.ofUpdate(changed, change.newPlatforms()));
        try {
            Optional<Site> site = changes.replace(replacement, binding, audit);
            site.ifPresent(written -> FailPoint.hit("ingest.after-commit-before-response"));
            return site.map(written -> accepted(work, change, next, written, binding.now()));
        } catch (DuplicateKeyException e) {
            if (StorageErrors.isKeyTaken(e) || StorageErrors.isSlugTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static Acceptance accepted(
            Work work, UpdateRules.Decision.Changes change, TaskState next, Site site, Instant now) {
        work.exchange().ends(Outcome.UPDATED);
        KnownTask before = change.task();
        TaskSubmission submission = work.submission();
        KnownTask after = before.next(
                        next.version(),
                        next.targetPlatforms(),
                        before.targetsFor(next.version(), change.newPlatforms()),
                        now)
                .showing(
                        Shown.by(submission, work.article()),
                        SiteUrls.of(
                                site.baseUrl(),
                                site.urlPattern(),
                                submission.language(),
                                submission.slug(),
                                submission.canonicalUrl()));
        return new Acceptance(after, false, false, change.newPlatforms(), List.of(), List.of(), null);
    }
}
