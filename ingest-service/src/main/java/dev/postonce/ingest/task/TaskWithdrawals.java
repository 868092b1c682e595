package dev.postonce.ingest.task;

import dev.postonce.contract.TaskState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.task.KnownTask.Withdrawal;
import dev.postonce.ingest.task.SubmissionRules.Known;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.FailPoint;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes tasks back and revives them. Nothing is deleted: the status changes, and an event tells it. */
public final class TaskWithdrawals {

    static final String WITHDRAW = "POST /v1/tasks/{external_id}/withdraw";
    static final String RESTORE = "POST /v1/tasks/{external_id}/restore";
    private static final int ATTEMPTS_MAX = 6;

    private final JdbcTaskChanges changes;
    private final JdbcTaskWrites writes;
    private final JdbcTaskReads reads;
    private final JdbcRequests requests;
    private final TransactionTemplate transactions;
    private final Replays replays;

    public TaskWithdrawals(
            JdbcTaskChanges changes,
            JdbcTaskWrites writes,
            JdbcTaskReads reads,
            JdbcRequests requests,
            TransactionTemplate transactions,
            Replays replays) {
        this.changes = changes;
        this.writes = writes;
        this.reads = reads;
        this.requests = requests;
        this.transactions = transactions;
        this.replays = replays;
    }

    /** One change of status on its way. */
    private record Work(Exchange exchange, Principal caller, String externalId, StatusChange change) {

        String route() {
            return change.restores() ? RESTORE : WITHDRAW;
        }

        Outcome outcome() {
            return change.restores() ? Outcome.UPDATED : Outcome.WITHDRAWN;
        }
    }

    /** @throws Refusal for whatever is final or to be tried again */
    Acceptance change(Exchange exchange, Principal caller, String externalId, StatusChange change) {
        Work work = new Work(exchange, caller, externalId, change);
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
        KeyBinding binding = replays.binding(work.exchange(), work.caller(), work.route(), now, work.outcome(), 200);
        Known known = reads.known(binding, work.externalId());
        if (known.hasExpiredKey(now)) {
            requests.forgetExpired(binding);
        }
        @Nullable KnownTask bound = UpdateRules.boundTo(known, work.exchange().payloadDigest(), now);
        if (bound != null) {
            return replay(work, "header", bound);
        }
        KnownTask task = known.byExternalId(work.externalId()).orElseThrow(UpdateRules::unknown);
        StatusChange change = work.change();
        @Nullable Long asked = change.ifMatch();
        boolean met = change.isMetBy(task);
        if (asked != null && asked != task.version() && !(met && asked == task.version() - 1)) {
            throw UpdateRules.versionConflict(task, asked);
        }
        return met ? replay(work, "natural", task) : set(work, task, binding);
    }

    private Optional<Acceptance> replay(Work work, String kind, KnownTask task) {
        return replays.answer(
                work.exchange(), work.caller(), work.route(), new Verdict.Replayed(task, kind, List.of(), List.of()));
    }

    private Optional<Acceptance> set(Work work, KnownTask task, KeyBinding binding) {
        try {
            @Nullable Optional<Acceptance> done = transactions.execute(status -> setLocked(work, task, binding));
            if (done == null || done.isEmpty()) {
                return Optional.empty();
            }
            FailPoint.hit("ingest.after-commit-before-response");
            return done;
        } catch (DuplicateKeyException e) {
            if (StorageErrors.isKeyTaken(e)) {
                return Optional.empty();
            }
            throw e;
        }
    }

    private Optional<Acceptance> setLocked(Work work, KnownTask task, KeyBinding binding) {
        Optional<TaskState> locked = writes.lock(work.caller().tenantId(), task.externalId());
        if (locked.isEmpty() || locked.get().version() != task.version()) {
            return Optional.empty();
        }
        StatusChange change = work.change();
        TaskState next = TaskStates.withStatus(locked.get(), change.status());
        @Nullable String posts = change.status().posts();
        @Nullable
        Withdrawal withdrawal = posts == null
                ? null
                : new Withdrawal(binding.now(), work.caller().clientId(), change.reason(), posts);
        AuditRow audit = new AuditRow(
                work.exchange(),
                binding.now(),
                work.outcome(),
                200,
                null,
                next.version(),
                AuditDetail.ofStatus(change.status(), change.reason()));
        changes.setStatus(next, withdrawal, replays.nextId(), binding, audit);
        work.exchange().ends(work.outcome());
        KnownTask after = task.next(
                        next.version(),
                        task.targetPlatforms(),
                        task.targetsFor(next.version(), List.of()),
                        binding.now())
                .standing(next.status(), withdrawal);
        return Optional.of(new Acceptance(after, false, false, List.of(), List.of(), List.of(), null));
    }
}
