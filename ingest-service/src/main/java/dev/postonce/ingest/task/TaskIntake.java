package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.KnownTask.TargetView;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.FailPoint;
import dev.postonce.runtime.Ids;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.node.ObjectNode;

/**
 * Accepts submissions. It never looks before it inserts: the first statement tries to be the first, the constraints
 * decide, and whoever loses asks again in a new statement, since its own could not see the winner.
 */
public final class TaskIntake {

    public static final String ROUTE = "POST /v1/tasks";
    private static final int ATTEMPTS_MAX = 6;

    /** What the intake works with. */
    public record Tools(ContentCleaner cleaner, Ids ids, InstantSource clock, IntakeMetrics metrics) {}

    private final JdbcTaskWrites writes;
    private final JdbcTaskReads reads;
    private final JdbcRequests requests;
    private final TransactionTemplate transactions;
    private final Tools tools;
    private final Duration keyRetention;

    public TaskIntake(
            JdbcTaskWrites writes,
            JdbcTaskReads reads,
            JdbcRequests requests,
            TransactionTemplate transactions,
            Tools tools,
            Duration keyRetention) {
        this.writes = writes;
        this.reads = reads;
        this.requests = requests;
        this.transactions = transactions;
        this.tools = tools;
        this.keyRetention = keyRetention;
    }

    /** One submission on its way. */
    private record Work(
            Exchange exchange, Principal caller, TaskSubmission submission, Article article, NewTask first) {}

    /** @throws Refusal for whatever is final or to be tried again */
    public Acceptance submit(Exchange exchange, Principal caller, TaskSubmission submission) {
        Work work = tools.metrics().timed("prepare", () -> prepare(exchange, caller, submission));
        FailPoint.hit("ingest.after-validate-before-tx");
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<Acceptance> acceptance = attempt(work);
            if (acceptance.isPresent()) {
                return acceptance.get();
            }
        }
        throw Refusal.of(ErrorCode.STORAGE_FAILED, "the task kept changing while it was asked for; nothing was stored");
    }

    private Work prepare(Exchange exchange, Principal caller, TaskSubmission submission) {
        Article article = Article.of(submission, tools.cleaner());
        UUID taskId = tools.ids().next();
        TaskState state = TaskStates.first(caller.tenantId(), taskId, submission, article);
        NewTask first = new NewTask(taskId, tools.ids().next(), submission, article, state, TaskStates.encode(state));
        return new Work(exchange, caller, submission, article, first);
    }

    /** Empty where another request moved something in between: all is asked anew. */
    private Optional<Acceptance> attempt(Work work) {
        FailPoint.hit("ingest.two-same-keys-both-before-insert");
        Optional<Acceptance> created = tools.metrics().timed("create", () -> create(work));
        if (created.isPresent()) {
            FailPoint.hit("ingest.after-commit-before-response");
            return created;
        }
        Instant now = now();
        KeyBinding question = binding(work, now, Outcome.REPLAY, 200);
        Known known = tools.metrics().timed("ask", () -> reads.known(question, work.submission(), work.article()));
        if (known.hasExpiredKey(now)) {
            requests.forgetExpired(question);
        }
        Verdict verdict = SubmissionRules.judge(
                work.submission(), work.article(), known, work.exchange().payloadDigest(), now);
        if (verdict instanceof Verdict.Refused refused) {
            throw refused.refusal();
        }
        if (verdict instanceof Verdict.Replayed replayed) {
            return replay(work, replayed);
        }
        if (verdict instanceof Verdict.Extends extending) {
            return tools.metrics().timed("extend", () -> extend(work, extending));
        }
        return Optional.empty();
    }

    private Optional<Acceptance> create(Work work) {
        Instant now = now();
        AuditRow audit = new AuditRow(work.exchange(), now, Outcome.CREATED, 201, null, 1L, null);
        try {
            return writes.create(work.first(), binding(work, now, Outcome.CREATED, 201), audit)
                    .map(created -> first(work, created, now));
        } catch (DuplicateKeyException e) {
            if (StorageErrors.isKeyTaken(e)) {
                return Optional.empty();
            }
            throw e;
        } catch (PessimisticLockingFailureException e) {
            if (StorageErrors.isDeadlock(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Acceptance first(Work work, Created created, Instant now) {
        work.exchange().ends(Outcome.CREATED);
        if (created.possibleDuplicateOf() != null) {
            tools.metrics().possibleDuplicate();
        }
        TaskSubmission submission = work.submission();
        KnownTask task = new KnownTask(
                work.first().taskId(),
                submission.externalId(),
                1,
                "active",
                submission.groupCode(),
                submission.targetPlatforms(),
                shownBy(submission, work.article()),
                SiteUrls.of(
                        created.baseUrl(),
                        created.urlPattern(),
                        submission.language(),
                        submission.slug(),
                        submission.canonicalUrl()),
                submission.targetPlatforms().stream().map(TargetView::pending).toList(),
                true,
                now,
                now);
        return new Acceptance(task, true, false, List.of(), List.of(), List.of(), created.possibleDuplicateOf());
    }

    private static Shown shownBy(TaskSubmission submission, Article article) {
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

    private Optional<Acceptance> replay(Work work, Verdict.Replayed verdict) {
        KnownTask task = verdict.task();
        boolean bind =
                work.exchange().idempotencyKey() != null && !verdict.kind().equals("header");
        Instant now = now();
        AuditRow audit = new AuditRow(
                work.exchange(),
                now,
                Outcome.REPLAY,
                200,
                null,
                task.version(),
                detail("content_differs", verdict.contentDiffers()));
        work.exchange()
                .concernsTask(
                        task.externalId(), task.shown().slug(), task.shown().language());
        if (!writes.recordReplay(task, bind, binding(work, now, Outcome.REPLAY, 200), audit)) {
            return Optional.empty();
        }
        FailPoint.hit("ingest.after-key-lookup-before-replay-response");
        work.exchange().ends(Outcome.REPLAY);
        tools.metrics().recognised(verdict.kind());
        return Optional.of(
                new Acceptance(task, false, true, List.of(), verdict.contentDiffers(), verdict.notAdded(), null));
    }

    private Optional<Acceptance> extend(Work work, Verdict.Extends verdict) {
        try {
            @Nullable Optional<Acceptance> extended = transactions.execute(status -> extendLocked(work, verdict));
            return extended == null ? Optional.empty() : extended;
        } catch (DuplicateKeyException e) {
            if (StorageErrors.isKeyTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Acceptance> extendLocked(Work work, Verdict.Extends verdict) {
        KnownTask known = verdict.task();
        Optional<TaskState> locked = writes.lock(work.caller().tenantId(), known.externalId());
        if (locked.isEmpty() || locked.get().version() != known.version()) {
            return Optional.empty();
        }
        TaskState now = locked.get();
        Instant time = now();
        TaskState next = TaskStates.withPlatforms(now, verdict.newPlatforms());
        AuditRow audit = new AuditRow(
                work.exchange(),
                time,
                Outcome.UPDATED,
                200,
                null,
                next.version(),
                detail("added_platforms", verdict.newPlatforms()));
        FailPoint.hit("ingest.after-task-before-outbox");
        writes.extend(
                next, verdict.newPlatforms(), tools.ids().next(), binding(work, time, Outcome.UPDATED, 200), audit);
        FailPoint.hit("ingest.after-outbox-before-commit");
        work.exchange().ends(Outcome.UPDATED);
        return Optional.of(new Acceptance(
                extended(known, next, verdict.newPlatforms(), time),
                false,
                false,
                verdict.newPlatforms(),
                verdict.contentDiffers(),
                List.of(),
                null));
    }

    private static KnownTask extended(KnownTask before, TaskState next, List<String> added, Instant now) {
        List<TargetView> targets = new ArrayList<>(before.targets());
        added.forEach(
                platform -> targets.add(new TargetView(platform, "pending", next.version(), null, null, null, null)));
        return new KnownTask(
                before.taskId(),
                before.externalId(),
                next.version(),
                before.status(),
                before.groupCode(),
                next.targetPlatforms(),
                before.shown(),
                before.url(),
                List.copyOf(targets),
                before.contentKnown(),
                before.acceptedAt(),
                now);
    }

    private KeyBinding binding(Work work, Instant now, Outcome outcome, int status) {
        return new KeyBinding(work.exchange(), work.caller(), ROUTE, keyRetention, now, outcome, status);
    }

    /** As the database keeps it, so that what is answered first is what is read later. */
    private Instant now() {
        return tools.clock().instant().truncatedTo(ChronoUnit.MICROS);
    }

    private static @Nullable String detail(String name, List<String> values) {
        if (values.isEmpty()) {
            return null;
        }
        ObjectNode detail = Answers.mapper().createObjectNode();
        values.forEach(detail.putArray(name)::add);
        return Answers.mapper().writeValueAsString(detail);
    }
}
