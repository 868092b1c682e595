package dev.postonce.invariants;

import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.TargetFacts;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * I7: an attempt begins after the one before it was settled; what is sent again is the same to the byte, to the same
 * account, under a key; no post is older than the ledger's first row of its target.
 */
final class LedgerDiscipline implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I7;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (TargetFacts target : facts.targets()) {
            if (target.attempts().isEmpty() && target.posts().isEmpty()) {
                continue;
            }
            findings.checked();
            if (target.attempts().isEmpty()) {
                findings.add(
                        ViolationKind.EXTRA,
                        target.key(),
                        OnePost.place(target.posts().get(0)) + " exists without an attempt");
            }
            List<AttemptFact> attempts = new ArrayList<>(target.attempts());
            attempts.sort(Comparator.comparingLong(AttemptFact::startedAtMs));
            for (int i = 0; i < attempts.size(); i++) {
                if (i > 0) {
                    waited(target, attempts.get(i - 1), attempts.get(i), findings);
                }
                resend(target, attempts.get(i), findings);
            }
        }
        return findings.result();
    }

    private static void waited(TargetFacts target, AttemptFact before, AttemptFact next, Findings findings) {
        AttemptFact.Sent sent = before.sent();
        if (sent == null) {
            return;
        }
        Long settled = sent.settledAtMs();
        if (settled == null || settled > next.startedAtMs()) {
            findings.add(
                    ViolationKind.DOUBLED,
                    target.key(),
                    "attempt " + next.attemptId() + " began before " + before.attemptId() + " was settled");
        }
    }

    private static void resend(TargetFacts target, AttemptFact attempt, Findings findings) {
        AttemptFact.Sent sent = attempt.sent();
        if (sent == null || sent.resendOf() == null) {
            return;
        }
        AttemptFact first = find(target, sent);
        AttemptFact.Sent original = first == null ? null : first.sent();
        if (!sent.keyed()) {
            findings.add(
                    ViolationKind.DOUBLED,
                    target.key(),
                    "attempt " + attempt.attemptId() + " was sent again without a key");
        } else if (original == null) {
            findings.add(
                    ViolationKind.UNTRUE,
                    target.key(),
                    "attempt " + attempt.attemptId() + " repeats one that is not there");
        } else if (!original.request().equals(sent.request())
                || !original.account().equals(sent.account())) {
            findings.add(
                    ViolationKind.UNTRUE,
                    target.key(),
                    "attempt " + attempt.attemptId() + " is not what it repeats, to the byte and the account");
        }
    }

    private static @Nullable AttemptFact find(TargetFacts target, AttemptFact.Sent sent) {
        for (AttemptFact attempt : target.attempts()) {
            if (attempt.attemptId().equals(sent.resendOf())) {
                return attempt;
            }
        }
        return null;
    }
}
