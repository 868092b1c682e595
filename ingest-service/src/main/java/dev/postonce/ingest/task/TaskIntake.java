package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.content.ContentCleaner;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.task.JdbcTaskReads.Asked;
import dev.postonce.ingest.task.JdbcTaskWrites.Created;
import dev.postonce.ingest.task.KnownTask.Shown;
import dev.postonce.ingest.task.KnownTask.TargetView;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.TenantPolicies;
import dev.postonce.ingest.tenant.TenantPolicy;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.FailPoint;
import dev.postonce.runtime.Ids;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.dao.PessimisticLockingFailureException;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Accepts submissions. It never looks before it inserts: the first statement tries to be the first, the constraints
 * decide, and whoever loses asks again in a new statement, since its own could not see the winner.
 */
public final class TaskIntake {

    public static final String ROUTE = "POST /v1/tasks";
    private static final int ATTEMPTS_MAX = 6;

    /** What the intake works with. */
    public record Tools(ContentCleaner cleaner, Ids ids, InstantSource clock, IntakeMetrics metrics) {}

    /** Its statements. */
    public record Statements(JdbcTaskWrites writes, JdbcTaskChunks chunks, JdbcTaskReads reads) {}

    private final JdbcTaskWrites writes;
    private final SharedCreates shared;
    private final JdbcTaskReads reads;
    private final JdbcRequests requests;
    private final TransactionTemplate transactions;
    private final TenantPolicies policies;
    private final Replays replays;
    private final Tools tools;
    private final RecentTasks recent = new RecentTasks();

    public TaskIntake(
            Statements statements,
            JdbcRequests requests,
            TransactionTemplate transactions,
            TenantPolicies policies,
            Replays replays,
            Tools tools) {
        this.writes = statements.writes();
        this.shared = new SharedCreates(writes::create, statements.chunks()::createPromptly);
        this.reads = statements.reads();
        this.requests = requests;
        this.transactions = transactions;
        this.policies = policies;
        this.replays = replays;
        this.tools = tools;
    }

    /** One submission on its way. */
    record Work(Exchange exchange, Principal caller, TenantPolicy policy, NewTask first) {

        TaskSubmission submission() {
            return first.submission();
        }

        Article article() {
            return first.article();
        }
    }

    /**
     * What became of the try to be the first.
     *
     * @param acceptance empty where it was not
     * @param duplicateOf whose content it is, for a tenant that wants none twice; then nothing was tried
     */
    private record Creation(Optional<Acceptance> acceptance, @Nullable String duplicateOf) {}

    /** @throws Refusal for whatever is final or to be tried again */
    public Acceptance submit(Exchange exchange, Principal caller, TaskSubmission submission) {
        Acceptance acceptance = recent.mayHave(caller.tenantId(), submission.externalId())
                ? again(exchange, caller, submission).orElseGet(() -> anew(exchange, caller, submission))
                : anew(exchange, caller, submission);
        recent.note(caller.tenantId(), submission.externalId());
        return acceptance;
    }

    /** An exact repetition, without cleaning the content once more. Empty for whatever is anything else. */
    private Optional<Acceptance> again(Exchange exchange, Principal caller, TaskSubmission submission) {
        Article article = Article.acceptedBefore(Article.submittedDigestOf(submission));
        Instant now = replays.now();
        KeyBinding question = replays.binding(exchange, caller, ROUTE, now, Outcome.REPLAY, 200);
        Asked asked = tools.metrics().timed("ask", () -> reads.again(question, submission, article.submittedDigest()));
        Known known = asked.known();
        boolean exact = !known.hasExpiredKey(now) && known.tasks().stream().allMatch(KnownTask::contentKnown);
        if (!asked.told() && !exact) {
            return Optional.empty();
        }
        Verdict verdict = SubmissionRules.judge(
                submission, article, known, exchange.payloadDigest(), now, policies.of(caller.tenantId()));
        if (!(verdict instanceof Verdict.Replayed replayed)) {
            return Optional.empty();
        }
        return asked.told()
                ? Optional.of(replays.told(exchange, replayed))
                : replays.answer(exchange, caller, ROUTE, replayed);
    }

    private Acceptance anew(Exchange exchange, Principal caller, TaskSubmission submission) {
        Work work = tools.metrics().timed("prepare", () -> prepare(exchange, caller, submission));
        FailPoint.hit("ingest.after-validate-before-tx");
        return settle(work);
    }

    /** A tenant that wants no content twice asks before each insertion, so its submissions share none. */
    boolean mayShareStatement(Work work) {
        return !work.policy().refusesDuplicates();
    }

    Instant now() {
        return replays.now();
    }

    Acceptance settle(Work work) {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<Acceptance> acceptance = attempt(work);
            if (acceptance.isPresent()) {
                return acceptance.get();
            }
        }
        throw Refusal.of(ErrorCode.STORAGE_FAILED, "the task kept changing while it was asked for; nothing was stored");
    }

    Work prepare(Exchange exchange, Principal caller, TaskSubmission submission) {
        Article article = Article.of(submission, tools.cleaner());
        UUID taskId = tools.ids().next();
        TaskState state = TaskStates.first(caller.tenantId(), taskId, submission, article);
        NewTask first = new NewTask(taskId, tools.ids().next(), submission, article, state, TaskStates.encode(state));
        return new Work(exchange, caller, policies.of(caller.tenantId()), first);
    }

    /** Empty where another request moved something in between: all is asked anew. */
    private Optional<Acceptance> attempt(Work work) {
        FailPoint.hit("ingest.two-same-keys-both-before-insert");
        Creation creation = tools.metrics()
                .timed(
                        "create",
                        () -> work.policy().refusesDuplicates()
                                ? createUnlessDuplicate(work)
                                : new Creation(create(work), null));
        if (creation.acceptance().isPresent()) {
            FailPoint.hit("ingest.after-commit-before-response");
            return creation.acceptance();
        }
        tools.metrics().uniqueConflict("task");
        Instant now = replays.now();
        KeyBinding question = binding(work, now, Outcome.REPLAY, 200);
        Known known = tools.metrics().timed("ask", () -> reads.known(question, work.submission(), work.article()));
        if (known.hasExpiredKey(now)) {
            requests.forgetExpired(question);
        }
        Verdict verdict = SubmissionRules.judge(
                work.submission(), work.article(), known, work.exchange().payloadDigest(), now, work.policy());
        if (verdict instanceof Verdict.Refused refused) {
            throw refused.refusal();
        }
        if (verdict instanceof Verdict.Replayed replayed) {
            return replays.answer(work.exchange(), work.caller(), ROUTE, replayed);
        }
        if (verdict instanceof Verdict.Extends extending) {
            return tools.metrics().timed("extend", () -> extend(work, extending));
        }
        if (creation.duplicateOf() != null) {
            throw duplicate(creation.duplicateOf());
        }
        return Optional.empty();
    }

    private static Refusal duplicate(String externalId) {
        return Refusal.of(
                        ErrorCode.POSSIBLE_DUPLICATE,
                        "task " + externalId + " brought the same content to the same account")
                .with("possible_duplicate_of", externalId)
                .with("links", Map.of("existing", "/v1/tasks/" + externalId));
    }

    /** In a transaction, since nobody else may ask between the question and the insertion. */
    private Creation createUnlessDuplicate(Work work) {
        try {
            @Nullable
            Creation creation = transactions.execute(status -> {
                Optional<String> other = writes.sameContent(work.first());
                return other.isPresent()
                        ? new Creation(Optional.empty(), other.get())
                        : new Creation(insert(work, writes::create), null);
            });
            return creation == null ? new Creation(Optional.empty(), null) : creation;
        } catch (DuplicateKeyException | PessimisticLockingFailureException e) {
            if (isLostRace(e)) {
                return new Creation(Optional.empty(), null);
            }
            throw e;
        }
    }

    private Optional<Acceptance> create(Work work) {
        try {
            return insert(work, shared::create);
        } catch (DuplicateKeyException | PessimisticLockingFailureException e) {
            if (isLostRace(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private static boolean isLostRace(DataAccessException e) {
        return StorageErrors.isKeyTaken(e) || StorageErrors.isDeadlock(e);
    }

    private Optional<Acceptance> insert(Work work, SharedCreates.Alone creating) {
        Instant now = replays.now();
        AuditRow audit = new AuditRow(work.exchange(), now, Outcome.CREATED, 201, null, 1L, null);
        return creating.create(work.first(), binding(work, now, Outcome.CREATED, 201), audit)
                .map(created -> first(work, created, now));
    }

    Acceptance first(Work work, Created created, Instant now) {
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
                Shown.by(submission, work.article()),
                SiteUrls.of(
                        created.baseUrl(),
                        created.urlPattern(),
                        submission.language(),
                        submission.slug(),
                        submission.canonicalUrl()),
                submission.targetPlatforms().stream()
                        .map(platform -> TargetView.pending(platform, 1))
                        .toList(),
                true,
                now,
                now,
                null);
        return new Acceptance(task, true, false, List.of(), List.of(), List.of(), created.possibleDuplicateOf());
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
        Instant time = replays.now();
        TaskState next = TaskStates.withPlatforms(now, verdict.newPlatforms());
        AuditRow audit = new AuditRow(
                work.exchange(),
                time,
                Outcome.UPDATED,
                200,
                null,
                next.version(),
                AuditDetail.of("added_platforms", verdict.newPlatforms()));
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
        added.forEach(platform -> targets.add(TargetView.pending(platform, next.version())));
        return before.next(next.version(), next.targetPlatforms(), List.copyOf(targets), now);
    }

    KeyBinding binding(Work work, Instant now, Outcome outcome, int status) {
        return replays.binding(work.exchange(), work.caller(), ROUTE, now, outcome, status);
    }
}
