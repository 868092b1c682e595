package dev.postonce.dispatch.wordpress;

import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.dispatch.target.Desired;
import dev.postonce.dispatch.wordpress.WordPressSite.Credential;
import dev.postonce.dispatch.wordpress.WordPressSite.Listing;
import dev.postonce.dispatch.wordpress.WordPressVerdict.Phase;
import dev.postonce.runtime.http.HttpOutcome;
import dev.postonce.runtime.http.HttpOutcome.Answered;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Making one post: look, create, and look again where the answer is not what was asked for. */
final class WordPressCreate {

    private static final Logger LOG = LoggerFactory.getLogger(WordPressCreate.class);
    private static final int SUFFIXES_LOOKED_UP = 5;

    private final WordPressSite site;
    private final Job job;
    private final String slug;
    private final String title;

    WordPressCreate(WordPressSite site, Job job) {
        this.site = site;
        this.job = job;
        JsonNode sent = JsonMapper.shared().readTree(body());
        this.slug = sent.path("slug").stringValue("");
        this.title = sent.path("title").stringValue("");
    }

    private byte[] body() {
        return Objects.requireNonNull(job.request().body(), "a create has a body");
    }

    Outcome send(SendGuard guard) {
        Listing before = lookUp();
        if (before instanceof Listing.Failed failed) {
            return failed.why();
        }
        WordPressVerdict verdict = verdict(((Listing.Complete) before).posts(), Phase.BEFORE_CREATE);
        if (!(verdict instanceof WordPressVerdict.Nobody)) {
            return adopt(verdict);
        }
        if (!guard.maySend()) {
            return new Outcome.NotSent("lease_lost", null);
        }
        HttpOutcome outcome = site.call(
                job.request().method(),
                job.request().url(),
                String.valueOf(job.request().contentType()),
                body());
        return outcomeOf(outcome);
    }

    /** What is there before we create anything: from a time that the ledger does not know, or another's. */
    private Outcome adopt(WordPressVerdict verdict) {
        if (verdict instanceof WordPressVerdict.Keep keep) {
            if (!removed(keep.doubles(), true)) {
                return new Outcome.NotSent("double_not_removed", null);
            }
            return keep.post().isPublic() ? published(keep.post()) : takenBack(keep.post(), Desired.DRAFT);
        } else if (verdict instanceof WordPressVerdict.Trashed trashed) {
            // An edit revives it; a second post would be a double as soon as somebody restores this one.
            return takenBack(trashed.post(), Desired.ARCHIVED);
        } else if (verdict instanceof WordPressVerdict.SlugTaken taken) {
            return removed(taken.ours(), false) ? slugTaken() : new Outcome.NotSent("double_not_removed", null);
        }
        return new Outcome.NotSent("unmarked_twin", null);
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
            return created(answer);
        } else if (status == 429) {
            return site.rateLimited(answer);
        } else if (status == 401 || status == 403) {
            return forbidden(site, answer);
        } else if (status == 404) {
            return new Outcome.NotSent("no_rest_api", WordPressSite.errorCode(answer));
        } else if (status < 400 || status == 408 || status == 425 || status >= 500) {
            return new Outcome.Unknown("http_" + status, WordPressSite.errorCode(answer));
        }
        // WordPress sets terms, meta and image after the insert: an error there leaves the post behind.
        LookUp after = ask();
        if (after instanceof LookUp.Settled settled) {
            return settled.outcome();
        }
        String code = WordPressSite.errorCode(answer);
        return after instanceof LookUp.Absent
                ? new Outcome.Refused(code, null, null)
                : new Outcome.Unknown(code, "refused, and whether a post was left behind could not be seen");
    }

    static Outcome forbidden(WordPressSite site, Answered answer) {
        Credential credential = site.credential();
        return switch (credential) {
            case GOOD -> new Outcome.Refused(WordPressSite.errorCode(answer), null, null);
            case REJECTED -> new Outcome.NotSent("credentials_rejected", null);
            case UNKNOWN -> new Outcome.NotSent("credentials_unchecked", WordPressSite.errorCode(answer));
        };
    }

    private Outcome created(Answered answer) {
        Optional<WordPressPost> read = WordPressSite.post(answer);
        if (read.isEmpty()) {
            return new Outcome.Unknown("unreadable_answer", null);
        }
        WordPressPost post = read.get();
        if (!post.carries(job.marker())) {
            LOG.warn(
                    "{}: the site removed our marker from post {}; after an unknown outcome a person must look",
                    job.id(),
                    post.id());
        }
        WordPressPost ours = post.carrying(job.marker(), job.taskVersion());
        return ours.hasSlug(slug) ? settled(ours) : suffixed(ours);
    }

    /** Another slug than we sent: somebody has it, or we made a double, or the site has its own mind. */
    private Outcome suffixed(WordPressPost created) {
        Listing after = lookUp();
        if (!(after instanceof Listing.Complete complete)) {
            return new Outcome.Unknown("slug_changed", "the site gave " + created.slug());
        }
        List<WordPressPost> seen = new ArrayList<>(complete.posts());
        seen.removeIf(post -> post.id() == created.id());
        seen.add(created);
        LookUp reconciled = reconcile(verdict(seen, Phase.AFTER_CREATE));
        return reconciled instanceof LookUp.Settled settled
                ? settled.outcome()
                : new Outcome.Unknown("slug_changed", "the site gave " + created.slug());
    }

    LookUp ask() {
        Listing listing = lookUp();
        if (listing instanceof Listing.Failed failed) {
            return inconclusive(failed.why());
        }
        return reconcile(verdict(((Listing.Complete) listing).posts(), Phase.AFTER_CREATE));
    }

    private LookUp reconcile(WordPressVerdict verdict) {
        if (verdict instanceof WordPressVerdict.Keep keep) {
            return removed(keep.doubles(), true)
                    ? new LookUp.Settled(settled(keep.post()))
                    : new LookUp.Inconclusive("double_not_removed", null);
        } else if (verdict instanceof WordPressVerdict.Trashed trashed) {
            return new LookUp.Settled(new Outcome.Refused(
                    "trashed_at_platform", null, Long.toString(trashed.post().id())));
        } else if (verdict instanceof WordPressVerdict.SlugTaken taken) {
            return removed(taken.ours(), false)
                    ? new LookUp.Settled(slugTaken())
                    : new LookUp.Inconclusive("double_not_removed", null);
        } else if (verdict instanceof WordPressVerdict.Ambiguous ambiguous) {
            return new LookUp.Inconclusive(
                    "unmarked_twin", "post " + ambiguous.twin().id());
        }
        return new LookUp.Absent();
    }

    private Outcome settled(WordPressPost post) {
        return post.isPublic()
                ? published(post)
                : new Outcome.Refused("not_public", "the site holds it as " + post.status(), Long.toString(post.id()));
    }

    private static Outcome published(WordPressPost post) {
        return new Outcome.Published(Long.toString(post.id()), post.link(), post.taskVersion());
    }

    private static Outcome takenBack(WordPressPost post, String status) {
        return new Outcome.TakenBack(Long.toString(post.id()), status);
    }

    private static Outcome slugTaken() {
        return new Outcome.Refused("slug_taken", "another post of this site holds the slug", null);
    }

    private boolean removed(List<WordPressPost> posts, boolean force) {
        for (WordPressPost post : posts) {
            LOG.warn(
                    "{}: post {} is removed, {}",
                    job.id(),
                    post.id(),
                    force ? "a double of an older one" : "another post holds its slug");
            HttpOutcome outcome = site.delete(Long.toString(post.id()), force);
            boolean gone = outcome instanceof Answered answer
                    && (answer.isSuccess() || answer.status() == 404 || answer.status() == 410);
            if (!gone) {
                return false;
            }
        }
        return true;
    }

    private WordPressVerdict verdict(List<WordPressPost> seen, Phase phase) {
        return WordPressVerdict.of(seen, job.marker(), slug, title, phase);
    }

    /** By slug and by marker, outside of the trash and in it; complete only if each of them is. */
    private Listing lookUp() {
        StringBuilder slugs = new StringBuilder(slug + ',' + slug + "__trashed");
        for (int suffix = 2; suffix <= SUFFIXES_LOOKED_UP; suffix++) {
            slugs.append(',').append(slug).append('-').append(suffix);
            slugs.append(',').append(slug).append('-').append(suffix).append("__trashed");
        }
        // "any" leaves out only what is not named beside it.
        String everywhere = "any," + WordPressPost.TRASH;
        List<Map<String, String>> questions = List.of(
                Map.of("slug", slugs.toString(), "status", everywhere),
                Map.of("search", job.marker(), "status", everywhere));
        Map<Long, WordPressPost> seen = new LinkedHashMap<>();
        for (Map<String, String> question : questions) {
            Listing listing = site.list(question);
            if (!(listing instanceof Listing.Complete complete)) {
                return listing;
            }
            complete.posts().forEach(post -> seen.put(post.id(), post));
        }
        return new Listing.Complete(List.copyOf(seen.values()));
    }

    static LookUp inconclusive(Outcome why) {
        if (why instanceof Outcome.NotSent notSent) {
            return new LookUp.Inconclusive(notSent.code(), notSent.detail());
        }
        return new LookUp.Inconclusive(why.word(), null);
    }
}
