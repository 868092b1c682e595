package dev.postonce.invariants;

import dev.postonce.invariants.facts.AttemptFact;
import dev.postonce.invariants.facts.DispatchTargetFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.PostFact;
import dev.postonce.invariants.facts.TargetFacts;

/** I7: each target has at most one post, and at most one attempt whose outcome nobody knows. */
final class OnePost implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I7;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        for (TargetFacts target : facts.targets()) {
            findings.checked();
            attempts(target, findings);
            posts(target, findings);
        }
        if (facts.coverage().everyKey()) {
            for (PostFact stray : facts.strayPosts()) {
                findings.add(
                        ViolationKind.EXTRA,
                        place(stray),
                        "carries the mark " + stray.marker() + " of no target known");
            }
        }
        return findings.result();
    }

    /** A later attempt waits until the one before it is settled; two open ones could both act. */
    private static void attempts(TargetFacts target, Findings findings) {
        int open = 0;
        for (AttemptFact attempt : target.attempts()) {
            if (attempt.isOpen()) {
                open++;
            }
        }
        if (open > 1) {
            findings.add(ViolationKind.DOUBLED, target.key(), open + " attempts without an outcome at once");
        }
    }

    private static void posts(TargetFacts target, Findings findings) {
        int effects = 0;
        StringBuilder places = new StringBuilder();
        for (PostFact post : target.posts()) {
            effects += Math.max(1, post.effects());
            places.append(places.isEmpty() ? "" : ", ").append(place(post));
            account(target, post, findings);
        }
        if (effects > 1) {
            findings.add(ViolationKind.DOUBLED, target.key(), "made " + effects + " times: " + places);
        }
    }

    private static void account(TargetFacts target, PostFact post, Findings findings) {
        DispatchTargetFact dispatch = target.dispatch();
        if (dispatch == null) {
            findings.add(ViolationKind.EXTRA, target.key(), place(post) + " exists, but nothing was dispatched");
        } else if (dispatch.account() == null || !dispatch.account().equals(post.account())) {
            findings.add(
                    ViolationKind.EXTRA,
                    target.key(),
                    place(post) + " stands under another account than " + dispatch.account());
        }
    }

    static String place(PostFact post) {
        return post.platform() + "/" + post.account() + " post " + post.postId();
    }
}
