package dev.postonce.dispatch.wordpress;

import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.target.Action;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.dispatch.wordpress.WordPressSite.Credential;
import dev.postonce.runtime.http.HttpOutcome;
import dev.postonce.runtime.http.HttpOutcome.Answered;
import java.util.Objects;
import java.util.Optional;

/** Changing a post that is there: a newer version, or taking it back. */
final class WordPressEdit {

    private static final String JSON = "application/json";

    private final WordPressSite site;
    private final Job job;
    private final String postId;

    WordPressEdit(WordPressSite site, Job job) {
        this.site = site;
        this.job = job;
        this.postId = Objects.requireNonNull(job.postId(), "an edit has a post");
    }

    Outcome send(SendGuard guard) {
        if (!guard.maySend()) {
            return new Outcome.NotSent("lease_lost", null);
        }
        byte[] body = job.request().body();
        HttpOutcome outcome = body == null
                ? site.delete(postId, false)
                : site.call("POST", job.request().url(), JSON, body);
        if (body == null && outcome instanceof Answered answer && answer.status() == 501) {
            // The site has no trash.
            outcome = site.call("POST", job.request().url(), JSON, WordPressRequests.draft());
        }
        return outcomeOf(outcome);
    }

    private Outcome outcomeOf(HttpOutcome outcome) {
        if (outcome instanceof HttpOutcome.NotSent notSent) {
            return new Outcome.NotSent(notSent.code(), notSent.detail());
        } else if (outcome instanceof HttpOutcome.Unknown unknown) {
            return new Outcome.Unknown(unknown.code(), unknown.detail());
        }
        Answered answer = (Answered) outcome;
        int status = answer.status();
        if (answer.isSuccess()) {
            return changed(answer);
        } else if (status == 429) {
            return site.rateLimited(answer);
        } else if (status == 401 || status == 403) {
            return WordPressCreate.forbidden(site, answer);
        } else if (status == 404 || status == 410) {
            return gone(answer);
        } else if (status < 400 || status == 408 || status == 425 || status >= 500) {
            return new Outcome.Unknown("http_" + status, WordPressSite.errorCode(answer));
        }
        return new Outcome.Refused(WordPressSite.errorCode(answer), null, null);
    }

    private Outcome changed(Answered answer) {
        Optional<WordPressPost> post = WordPressSite.post(answer);
        if (post.isEmpty()) {
            return new Outcome.Unknown("unreadable_answer", null);
        }
        return job.action() == Action.WITHDRAW ? takenBackIf(post.get()) : publishedIf(post.get());
    }

    private Outcome publishedIf(WordPressPost post) {
        return post.isPublic()
                ? new Outcome.Published(postId, post.link(), job.taskVersion())
                : new Outcome.Refused("not_public", "the site holds it as " + post.status(), postId);
    }

    private Outcome takenBackIf(WordPressPost post) {
        return post.isPublic()
                ? new Outcome.Unknown("still_public", null)
                : new Outcome.TakenBack(postId, post.isTrashed() ? Desired.ARCHIVED : Desired.DRAFT);
    }

    /** Somebody removed the post: nothing to take back, and nothing that an edit could change. */
    private Outcome gone(Answered answer) {
        String code = WordPressSite.errorCode(answer);
        boolean knownGone = code.equals("rest_post_invalid_id") || code.equals("rest_already_trashed");
        if (!knownGone) {
            return new Outcome.NotSent("no_rest_api", code);
        }
        return job.action() == Action.WITHDRAW
                ? new Outcome.TakenBack(postId, Desired.ARCHIVED)
                : new Outcome.Refused("gone_at_platform", null, postId);
    }

    LookUp ask() {
        HttpOutcome outcome = site.get(postId);
        if (!(outcome instanceof Answered answer)) {
            return WordPressCreate.inconclusive(site.withoutEffect(outcome));
        }
        if (answer.status() == 404 && WordPressSite.errorCode(answer).equals("rest_post_invalid_id")) {
            // To a stranger a draft looks like nothing at all; so first, whether we are one.
            return site.credential() == Credential.GOOD
                    ? new LookUp.Settled(gone(answer))
                    : new LookUp.Inconclusive("credentials_unchecked", null);
        }
        Optional<WordPressPost> read = answer.status() == 200 ? WordPressSite.post(answer) : Optional.empty();
        if (read.isEmpty()) {
            return WordPressCreate.inconclusive(
                    answer.status() == 200
                            ? new Outcome.NotSent("lookup_incomplete", null)
                            : site.withoutEffect(outcome));
        }
        WordPressPost post = read.get();
        if (job.action() == Action.WITHDRAW) {
            return post.isPublic() ? new LookUp.Absent() : new LookUp.Settled(takenBackIf(post));
        }
        boolean shows = post.carries(job.marker()) && post.taskVersion() == job.taskVersion();
        return shows ? new LookUp.Settled(publishedIf(post)) : new LookUp.Absent();
    }
}
