package dev.postonce.ingest.group;

import dev.postonce.contract.GroupState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.group.GroupRules.Known;
import dev.postonce.ingest.group.GroupRules.Verdict;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.storage.StorageErrors;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.IntakeMetrics;
import dev.postonce.ingest.web.Outcome;
import dev.postonce.ingest.web.Refusal;
import dev.postonce.runtime.FailPoint;
import dev.postonce.runtime.Ids;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import tools.jackson.databind.node.ObjectNode;

/** Accepts groups, by the same rules as tasks: insert first, let the constraint decide, ask again after losing. */
public final class GroupIntake {

    public static final String ROUTE = "POST /v1/groups";
    private static final int ATTEMPTS_MAX = 6;

    /** What the intake works with. */
    public record Tools(Ids ids, InstantSource clock, IntakeMetrics metrics) {}

    private final JdbcGroups groups;
    private final JdbcRequests requests;
    private final Tools tools;
    private final Duration keyRetention;

    public GroupIntake(JdbcGroups groups, JdbcRequests requests, Tools tools, Duration keyRetention) {
        this.groups = groups;
        this.requests = requests;
        this.tools = tools;
        this.keyRetention = keyRetention;
    }

    /** @throws Refusal for whatever is final or to be tried again */
    GroupAcceptance submit(Command command, GroupSubmission submission) {
        GroupState state =
                GroupStates.first(command.caller().tenantId(), tools.ids().next(), submission);
        UUID eventId = tools.ids().next();
        return tryAgain(() -> submitOnce(command, submission, state, eventId));
    }

    /** @throws Refusal for whatever is final or to be tried again */
    GroupAcceptance change(Command command, GroupRef ref, GroupChange change) {
        return tryAgain(() -> changeOnce(command, ref, change));
    }

    private static GroupAcceptance tryAgain(Supplier<Optional<GroupAcceptance>> attempt) {
        for (int i = 0; i < ATTEMPTS_MAX; i++) {
            Optional<GroupAcceptance> acceptance = attempt.get();
            if (acceptance.isPresent()) {
                return acceptance.get();
            }
        }
        throw Refusal.of(
                ErrorCode.STORAGE_FAILED, "the group kept changing while it was asked for; nothing was stored");
    }

    /** Empty where another request moved something in between: all is asked anew. */
    private Optional<GroupAcceptance> submitOnce(
            Command command, GroupSubmission submission, GroupState state, UUID eventId) {
        Instant now = now();
        KeyBinding first = binding(command, ROUTE, now, Outcome.CREATED, 201);
        if (tools.metrics().timed("create_group", () -> create(submission, state, eventId, first))) {
            FailPoint.hit("ingest.group-after-commit-before-response");
            command.exchange().ends(Outcome.CREATED);
            return Optional.of(new GroupAcceptance(new KnownGroup(state, now, now), true, false, List.of()));
        }
        tools.metrics().uniqueConflict("group");
        KeyBinding again = binding(command, ROUTE, now, Outcome.REPLAY, 200);
        Known known = ask(again, submission.ref());
        Verdict verdict = GroupRules.judge(submission, known, command.exchange().payloadDigest(), now);
        return settle(verdict, again);
    }

    private Optional<GroupAcceptance> changeOnce(Command command, GroupRef ref, GroupChange change) {
        Instant now = now();
        KeyBinding again = binding(command, change.route(), now, Outcome.REPLAY, 200);
        Known known = ask(again, ref);
        Verdict verdict = GroupRules.judge(
                change, ref, command.ifMatch(), known, command.exchange().payloadDigest(), now);
        if (!(verdict instanceof Verdict.Changes changes)) {
            return settle(verdict, again);
        }
        GroupState next = change.applyTo(changes.group().state());
        KeyBinding binding = binding(command, change.route(), now, change.outcome(), 200);
        AuditRow audit = new AuditRow(command.exchange(), now, change.outcome(), 200, null, next.version(), null);
        if (!tools.metrics().timed("change_group", () -> store(next, binding, audit))) {
            return Optional.empty();
        }
        FailPoint.hit("ingest.group-change-after-commit-before-response");
        command.exchange().ends(change.outcome());
        KnownGroup changed = new KnownGroup(next, changes.group().acceptedAt(), now);
        return Optional.of(new GroupAcceptance(changed, false, false, List.of()));
    }

    private Known ask(KeyBinding question, GroupRef ref) {
        Known known = groups.known(question, ref);
        if (known.hasExpiredKey(question.now())) {
            requests.forgetExpired(question);
        }
        return known;
    }

    private Optional<GroupAcceptance> settle(Verdict verdict, KeyBinding binding) {
        if (verdict instanceof Verdict.Refused refused) {
            throw refused.refusal();
        }
        return verdict instanceof Verdict.Replayed replayed ? replay(replayed, binding) : Optional.empty();
    }

    private boolean create(GroupSubmission submission, GroupState state, UUID eventId, KeyBinding binding) {
        AuditRow audit = new AuditRow(binding.exchange(), binding.now(), Outcome.CREATED, 201, null, 1L, null);
        try {
            return groups.create(state, submission.digest(), eventId, binding, audit);
        } catch (DuplicateKeyException e) {
            return lost(e);
        }
    }

    private boolean store(GroupState next, KeyBinding binding, AuditRow audit) {
        try {
            return groups.change(next, tools.ids().next(), binding, audit);
        } catch (DuplicateKeyException e) {
            return lost(e);
        }
    }

    private static boolean lost(DuplicateKeyException e) {
        if (StorageErrors.isKeyTaken(e)) {
            return false;
        }
        throw e;
    }

    private Optional<GroupAcceptance> replay(Verdict.Replayed verdict, KeyBinding binding) {
        KnownGroup group = verdict.group();
        boolean bind =
                binding.exchange().idempotencyKey() != null && !verdict.kind().equals("header");
        AuditRow audit = new AuditRow(
                binding.exchange(),
                binding.now(),
                Outcome.REPLAY,
                200,
                null,
                group.state().version(),
                detail(verdict.contentDiffers()));
        if (!groups.recordReplay(group, bind, binding, audit)) {
            return Optional.empty();
        }
        tools.metrics().recognised(verdict.kind());
        binding.exchange().ends(Outcome.REPLAY);
        return Optional.of(new GroupAcceptance(group, false, true, verdict.contentDiffers()));
    }

    private KeyBinding binding(Command command, String route, Instant now, Outcome outcome, int status) {
        return new KeyBinding(command.exchange(), command.caller(), route, keyRetention, now, outcome, status);
    }

    /** As the database keeps it, so that what is answered first is what is read later. */
    private Instant now() {
        return tools.clock().instant().truncatedTo(ChronoUnit.MICROS);
    }

    private static @Nullable String detail(List<String> differs) {
        if (differs.isEmpty()) {
            return null;
        }
        ObjectNode detail = Answers.mapper().createObjectNode();
        differs.forEach(detail.putArray("content_differs")::add);
        return Answers.mapper().writeValueAsString(detail);
    }
}
