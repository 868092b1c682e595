package dev.postonce.ingest.group;

import dev.postonce.ingest.request.KeyRecord;
import dev.postonce.ingest.web.EntityTag;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Refusal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The table of docs/architecture.md for groups. Rows are asked in their order; the first that fits wins. */
final class GroupRules {

    private GroupRules() {}

    /** What a write means, where an entry or a key of its name may be there already. */
    sealed interface Verdict {

        record Refused(Refusal refusal) implements Verdict {}

        /** @param kind by what it was recognised: {@code header} or {@code natural} */
        record Replayed(KnownGroup group, String kind, List<String> contentDiffers) implements Verdict {}

        record Changes(KnownGroup group) implements Verdict {}

        /** Nothing of it is there: try to be the first, or look again. */
        record Unknown() implements Verdict {}
    }

    /**
     * What one statement saw.
     *
     * @param keyRecord of the request's Idempotency-Key; null without a key or its first use
     * @param groups those of the name and of the key
     */
    record Known(@Nullable KeyRecord keyRecord, List<KnownGroup> groups) {

        boolean hasExpiredKey(Instant now) {
            return keyRecord != null && keyRecord.isExpired(now);
        }

        private Optional<KnownGroup> of(String ref) {
            return groups.stream()
                    .filter(group -> group.ref().toString().equals(ref))
                    .findFirst();
        }
    }

    /** A submission loses to whatever is there. */
    static Verdict judge(GroupSubmission submission, Known known, @Nullable String payloadDigest, Instant now) {
        Optional<Verdict> byKey = byKey(known, payloadDigest, now, submission);
        return byKey.orElseGet(() -> known.of(submission.ref().toString())
                .<Verdict>map(group -> new Verdict.Replayed(group, "natural", group.differencesTo(submission)))
                .orElseGet(Verdict.Unknown::new));
    }

    static Verdict judge(
            GroupChange change,
            GroupRef ref,
            @Nullable String ifMatch,
            Known known,
            @Nullable String payloadDigest,
            Instant now) {
        Optional<Verdict> byKey = byKey(known, payloadDigest, now, null);
        if (byKey.isPresent()) {
            return byKey.get();
        }
        Optional<KnownGroup> group = known.of(ref.toString());
        if (group.isEmpty()) {
            return new Verdict.Refused(unknown());
        }
        return change instanceof GroupChange.Update update
                ? ofUpdate(update, group.get(), ifMatch)
                : ofRemovalOrRestoration(change instanceof GroupChange.Removal, group.get(), ifMatch);
    }

    static Refusal unknown() {
        return Refusal.of(ErrorCode.NOT_FOUND, "there is no entry of this group and operation");
    }

    private static Optional<Verdict> byKey(
            Known known, @Nullable String payloadDigest, Instant now, @Nullable GroupSubmission submission) {
        @Nullable KeyRecord key = known.keyRecord();
        if (key == null || key.isExpired(now)) {
            return Optional.empty();
        }
        if (!key.payloadDigest().equals(payloadDigest)) {
            return Optional.of(new Verdict.Refused(Refusal.of(
                    ErrorCode.IDEMPOTENCY_KEY_REUSED,
                    "this Idempotency-Key stands for another request, until " + key.expiresAt())));
        }
        return known.of(key.resourceRef())
                .map(group -> new Verdict.Replayed(
                        group, "header", submission == null ? List.of() : group.differencesTo(submission)));
    }

    private static Verdict ofUpdate(GroupChange.Update update, KnownGroup group, @Nullable String ifMatch) {
        List<String> differs = group.differencesTo(update.content());
        if (group.state().deleted()) {
            return new Verdict.Replayed(group, "natural", differs);
        }
        long given = EntityTag.required(ifMatch);
        long present = group.state().version();
        if (differs.isEmpty() && (given == present || given == present - 1)) {
            return new Verdict.Replayed(group, "natural", List.of());
        }
        return given == present ? new Verdict.Changes(group) : new Verdict.Refused(stale(given, present));
    }

    private static Verdict ofRemovalOrRestoration(boolean removal, KnownGroup group, @Nullable String ifMatch) {
        if (group.state().deleted() == removal) {
            return new Verdict.Replayed(group, "natural", List.of());
        }
        @Nullable Long given = EntityTag.ifAny(ifMatch);
        long present = group.state().version();
        return given == null || given == present
                ? new Verdict.Changes(group)
                : new Verdict.Refused(stale(given, present));
    }

    private static Refusal stale(long given, long present) {
        return Refusal.of(
                        ErrorCode.VERSION_CONFLICT,
                        "the change is meant for version " + given + "; the present one is " + present)
                .with("current_version", present);
    }
}
