package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.TargetId;
import java.net.URI;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;

/** The rows of the effect ledger, and the names that attempts claim. */
final class JdbcAttempts implements Attempts {

    private static final int DETAIL_CHARACTERS_MAX = 500;

    private static final String INSERT =
            """
            insert into dispatch.attempt
              (attempt_id, tenant_id, external_id, platform, account, action, task_version, shown_key, marker,
               platform_key, post_id, request_method, request_url, request_content_type, request_name, request_body,
               request_digest, resend_of, first_started_at, owner, token)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, clock_timestamp()), ?, ?)
            """;

    private static final String SELECT =
            """
            select a.*, r.place from dispatch.attempt a
            left join dispatch.slug_reservation r
              on r.tenant_id = a.tenant_id and r.external_id = a.external_id and r.platform = a.platform
                and r.slug = a.request_name
            where a.attempt_id = ?
            """;

    /** Whoever learned it: the sender itself, so it sends nothing any more. */
    private static final String OUTCOME =
            """
            update dispatch.attempt
            set outcome = ?, outcome_code = ?, outcome_detail = ?, outcome_at = clock_timestamp(),
                sender_done_at = coalesce(sender_done_at, clock_timestamp())
            where attempt_id = ? and outcome is null
            """;

    private static final String LATE =
            """
            update dispatch.attempt
            set late_outcome = ?, late_at = clock_timestamp(),
                sender_done_at = coalesce(sender_done_at, clock_timestamp())
            where attempt_id = ?
            """;

    /** The request is kept as long as it may be sent again, its digest for ever. */
    private static final String SETTLE =
            """
            update dispatch.attempt set settled_at = clock_timestamp(), settled_as = ?, request_body = null
            where attempt_id = ? and settled_at is null
            """;

    private static final String ASKED =
            """
            update dispatch.attempt set asked = asked + 1, absent_seen_at = coalesce(?, absent_seen_at)
            where attempt_id = ?
            """;

    private static final String SENDER_DONE =
            "update dispatch.attempt set sender_done_at = ? where attempt_id = ? and sender_done_at is null";

    private static final String CLAIM_NAME =
            """
            insert into dispatch.slug_reservation (place, slug, tenant_id, external_id, platform)
            values (?, ?, ?, ?, ?)
            on conflict (place, slug) do nothing
            """;

    private static final String NAME_IS_OURS =
            """
            select exists (select from dispatch.slug_reservation
              where place = ? and slug = ? and tenant_id = ? and external_id = ? and platform = ?)
            """;

    private static final String RELEASE_NAMES =
            "delete from dispatch.slug_reservation where tenant_id = ? and external_id = ? and platform = ?";

    private final JdbcTemplate jdbc;

    JdbcAttempts(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public void insert(Attempt attempt, long token) {
        Job job = attempt.job();
        FrozenRequest request = job.request();
        FrozenRequest.Claim claim = request.claim();
        boolean resend = attempt.isResend();
        jdbc.update(
                INSERT,
                attempt.attemptId(),
                job.id().tenantId(),
                job.id().externalId(),
                job.id().platform().wireName(),
                attempt.account(),
                job.action().wireName(),
                job.taskVersion(),
                attempt.shownKey(),
                job.marker(),
                request.platformKey(),
                job.postId(),
                request.method(),
                request.url().toString(),
                request.contentType(),
                claim == null ? null : claim.name(),
                request.body(),
                request.digest(),
                attempt.trail().resendOf(),
                resend ? time(attempt.trail().firstStartedAt()) : null,
                attempt.trail().owner(),
                token);
    }

    @Override
    public Attempt get(UUID attemptId) {
        List<Attempt> found = jdbc.query(SELECT, (row, number) -> map(row), attemptId);
        if (found.isEmpty()) {
            throw new IllegalStateException("the ledger has no attempt " + attemptId
                    + "; its target stays as it is until a person restores the row");
        }
        return found.get(0);
    }

    @Override
    public void outcome(UUID attemptId, Outcome outcome) {
        String code = null;
        String detail = null;
        if (outcome instanceof Outcome.Refused refused) {
            code = refused.code();
            detail = refused.detail();
        } else if (outcome instanceof Outcome.NotSent notSent) {
            code = notSent.code();
            detail = notSent.detail();
        } else if (outcome instanceof Outcome.Unknown unknown) {
            code = unknown.code();
            detail = unknown.detail();
        }
        jdbc.update(OUTCOME, outcome.word(), code, cut(detail), attemptId);
    }

    @Override
    public void late(UUID attemptId, Outcome outcome) {
        jdbc.update(LATE, outcome.word(), attemptId);
    }

    @Override
    public void settle(UUID attemptId, String how) {
        jdbc.update(SETTLE, how, attemptId);
    }

    @Override
    public void asked(UUID attemptId, @Nullable Instant absentSeenAt) {
        jdbc.update(ASKED, absentSeenAt == null ? null : time(absentSeenAt), attemptId);
    }

    @Override
    public void senderDone(UUID attemptId, Instant at) {
        jdbc.update(SENDER_DONE, time(at), attemptId);
    }

    @Override
    public boolean claimName(FrozenRequest.Claim claim, TargetId id) {
        Object[] row = {
            claim.place(),
            claim.name(),
            id.tenantId(),
            id.externalId(),
            id.platform().wireName()
        };
        if (jdbc.update(CLAIM_NAME, row) == 1) {
            return true;
        }
        return Boolean.TRUE.equals(jdbc.queryForObject(NAME_IS_OURS, Boolean.class, row));
    }

    @Override
    public void releaseNames(TargetId id) {
        jdbc.update(RELEASE_NAMES, id.tenantId(), id.externalId(), id.platform().wireName());
    }

    private static Attempt map(ResultSet row) throws SQLException {
        TargetId id = new TargetId(
                row.getString("tenant_id"),
                row.getString("external_id"),
                Platform.of(row.getString("platform")).orElseThrow());
        String name = row.getString("request_name");
        String place = row.getString("place");
        FrozenRequest request = new FrozenRequest(
                row.getString("request_method"),
                URI.create(row.getString("request_url")),
                row.getString("request_content_type"),
                row.getBytes("request_body"),
                row.getString("platform_key"),
                name == null ? null : new FrozenRequest.Claim(place == null ? "" : place, name));
        if (row.getObject("settled_at") == null && !request.digest().equals(row.getString("request_digest"))) {
            throw new IllegalStateException("attempt " + row.getString("attempt_id")
                    + " no longer has the bytes that were sent; nothing is resent, a person must look at it");
        }
        Job job = new Job(
                id, Action.of(row.getString("action")), row.getLong("task_version"), row.getString("post_id"), request);
        return new Attempt(
                row.getObject("attempt_id", UUID.class),
                row.getString("account"),
                row.getString("shown_key"),
                job,
                new Attempt.Trail(
                        row.getObject("owner", UUID.class),
                        row.getObject("resend_of", UUID.class),
                        row.getObject("first_started_at", OffsetDateTime.class).toInstant(),
                        instant(row, "sender_done_at"),
                        instant(row, "absent_seen_at"),
                        row.getInt("asked")));
    }

    private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
        OffsetDateTime value = row.getObject(column, OffsetDateTime.class);
        return value == null ? null : value.toInstant();
    }

    private static OffsetDateTime time(Instant instant) {
        return instant.atOffset(ZoneOffset.UTC);
    }

    private static @Nullable String cut(@Nullable String detail) {
        return detail == null || detail.length() <= DETAIL_CHARACTERS_MAX
                ? detail
                : detail.substring(0, DETAIL_CHARACTERS_MAX);
    }
}
