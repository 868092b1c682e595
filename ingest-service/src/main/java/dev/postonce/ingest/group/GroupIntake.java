package dev.postonce.ingest.group;

import dev.postonce.contract.Digests;
import dev.postonce.contract.GroupState;
import dev.postonce.ingest.audit.AuditRow;
import dev.postonce.ingest.request.JdbcRequests;
import dev.postonce.ingest.request.KeyBinding;
import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.storage.StorageErrors;
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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DuplicateKeyException;
import tools.jackson.databind.node.ObjectNode;

/** Accepts groups, by the same rules as tasks: insert first, let the constraint decide, ask again after losing. */
public final class GroupIntake {

    public static final String ROUTE = "POST /v1/groups";
    private static final int ATTEMPTS_MAX = 6;

    /**
     * What is answered.
     *
     * @param contentDiffers fields that differ from the stored ones and were not taken over
     */
    record Acceptance(KnownGroup group, boolean created, List<String> contentDiffers) {}

    private final JdbcGroups groups;
    private final JdbcRequests requests;
    private final Ids ids;
    private final InstantSource clock;
    private final IntakeMetrics metrics;
    private final Duration keyRetention;

    public GroupIntake(
            JdbcGroups groups,
            JdbcRequests requests,
            Ids ids,
            InstantSource clock,
            IntakeMetrics metrics,
            Duration keyRetention) {
        this.groups = groups;
        this.requests = requests;
        this.ids = ids;
        this.clock = clock;
        this.metrics = metrics;
        this.keyRetention = keyRetention;
    }

    Acceptance submit(Exchange exchange, Principal caller, GroupSubmission submission) {
        GroupState state = firstState(caller.tenantId(), ids.next(), submission);
        UUID eventId = ids.next();
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            Optional<Acceptance> acceptance = attempt(exchange, caller, submission, state, eventId);
            if (acceptance.isPresent()) {
                return acceptance.get();
            }
        }
        throw Refusal.of(
                ErrorCode.STORAGE_FAILED, "the group kept changing while it was asked for; nothing was stored");
    }

    private static GroupState firstState(String tenantId, UUID id, GroupSubmission submission) {
        return state(tenantId, id, submission, Digests.ofState(state(tenantId, id, submission, "")));
    }

    private static GroupState state(String tenantId, UUID id, GroupSubmission submission, String digest) {
        return new GroupState(
                tenantId,
                id.toString(),
                submission.operation(),
                submission.key(),
                submission.groupId(),
                1,
                false,
                submission.name(),
                submission.description(),
                submission.tags(),
                submission.category(),
                submission.language(),
                submission.submitterId(),
                digest);
    }

    private Optional<Acceptance> attempt(
            Exchange exchange, Principal caller, GroupSubmission submission, GroupState state, UUID eventId) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        KeyBinding first = new KeyBinding(exchange, caller, ROUTE, keyRetention, now, Outcome.CREATED, 201);
        if (metrics.timed("create_group", () -> create(submission, state, eventId, first))) {
            FailPoint.hit("ingest.group-after-commit-before-response");
            exchange.ends(Outcome.CREATED);
            return Optional.of(new Acceptance(new KnownGroup(state, now, now), true, List.of()));
        }
        metrics.uniqueConflict("group");
        KeyBinding again = new KeyBinding(exchange, caller, ROUTE, keyRetention, now, Outcome.REPLAY, 200);
        JdbcGroups.Known known = groups.known(again, submission);
        @Nullable KeyRecord key = known.keyRecord();
        if (key != null && key.isExpired(now)) {
            requests.forgetExpired(again);
        } else if (key != null && !key.payloadDigest().equals(exchange.payloadDigest())) {
            throw Refusal.of(
                    ErrorCode.IDEMPOTENCY_KEY_REUSED,
                    "this Idempotency-Key stands for another request, until " + key.expiresAt());
        }
        boolean byHeader = key != null && !key.isExpired(now);
        String ref = byHeader && key != null ? key.resourceRef() : submission.ref();
        Optional<KnownGroup> group =
                known.groups().stream().filter(entry -> entry.ref().equals(ref)).findFirst();
        return group.flatMap(entry -> replay(again, submission, entry, byHeader));
    }

    private boolean create(GroupSubmission submission, GroupState state, UUID eventId, KeyBinding binding) {
        AuditRow audit = new AuditRow(binding.exchange(), binding.now(), Outcome.CREATED, 201, null, 1L, null);
        try {
            return groups.create(submission, state, eventId, binding, audit);
        } catch (DuplicateKeyException e) {
            if (StorageErrors.isKeyTaken(e)) {
                return false;
            }
            throw e;
        }
    }

    private Optional<Acceptance> replay(
            KeyBinding binding, GroupSubmission submission, KnownGroup group, boolean byHeader) {
        List<String> differs = group.differencesTo(submission);
        boolean bind = binding.exchange().idempotencyKey() != null && !byHeader;
        AuditRow audit = new AuditRow(
                binding.exchange(),
                binding.now(),
                Outcome.REPLAY,
                200,
                null,
                group.state().version(),
                detail(differs));
        if (!groups.recordReplay(group, bind, binding, audit)) {
            return Optional.empty();
        }
        metrics.recognised(byHeader ? "header" : "natural");
        binding.exchange().ends(Outcome.REPLAY);
        return Optional.of(new Acceptance(group, false, differs));
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
