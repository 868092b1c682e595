package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.http.Recording;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Creating, updating, trashing and deleting, in the order of steps that WordPress has. */
final class PostWriter {

    private final InstantSource clock;
    private final Runnable raceWindow;

    /**
     * Makes a writer.
     *
     * @param raceWindow waits between asking for a free slug and taking it
     */
    PostWriter(InstantSource clock, Runnable raceWindow) {
        this.clock = clock;
        this.raceWindow = raceWindow;
    }

    StoredPost create(WordPressSite site, WordPressUser user, PostInput input, Recording recording) {
        PostTexts texts = cleaned(
                user, new PostTexts(orEmpty(input.title()), orEmpty(input.content()), orEmpty(input.excerpt())));
        if (texts.isEmpty()) {
            throw RestError.of(400, "empty_content", "Content, title, and excerpt are empty.");
        }
        Instant now = clock.instant();
        Instant second = now.truncatedTo(ChronoUnit.SECONDS);
        Instant date = input.date() == null ? second : input.date();
        PostStatus status = scheduled(input.status() == null ? PostStatus.DRAFT : input.status(), date, second);
        String slug = Slugs.sanitize(orEmpty(input.slug()));
        boolean nameless = slug.isEmpty();
        if (nameless && isNamed(status)) {
            slug = Slugs.sanitize(texts.title());
        }
        if (!slug.isEmpty()) {
            slug = Slugs.unique(slug, recording.fault().forceSlugSuffix(), candidate -> site.isTaken(candidate, 0));
        }
        // No lock from here to there: WordPress has none either, and two creates may pass together.
        raceWindow.run();
        long authorId = input.authorId() == null ? user.id() : input.authorId();
        Post template = new Post(0, slug, status, authorId, null, new Post.Times(now, date, second), 1);
        return site.create(post -> isNamed(status) ? named(site, post) : post, template, texts, recording);
    }

    /** A post without any name is called by its number. */
    private static Post named(WordPressSite site, Post post) {
        return post.slug().isEmpty()
                ? post.withSlug(Slugs.unique(String.valueOf(post.id()), false, slug -> site.isTaken(slug, 0)), null)
                : post;
    }

    StoredPost update(WordPressSite site, WordPressUser user, long id, PostInput input, Recording recording) {
        Post before = site.get(id).post();
        Instant second = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        String slug = newSlug(site, before, input);
        raceWindow.run();
        return site.update(
                id,
                post -> changed(post, input, slug, second),
                texts -> cleaned(
                        user,
                        new PostTexts(
                                input.title() == null ? texts.title() : input.title(),
                                input.content() == null ? texts.content() : input.content(),
                                input.excerpt() == null ? texts.excerpt() : input.excerpt())),
                recording);
    }

    private static Post changed(Post post, PostInput input, @Nullable String slug, Instant now) {
        Instant date = input.date() == null ? post.times().date() : input.date();
        PostStatus status = input.status() == null ? post.statusAt(now) : input.status();
        boolean leavesTrash = post.status() == PostStatus.TRASH && status != PostStatus.TRASH;
        return new Post(
                post.id(),
                slug == null ? post.slug() : slug,
                scheduled(status, date, now),
                input.authorId() == null ? post.authorId() : input.authorId(),
                leavesTrash ? null : post.desiredSlug(),
                new Post.Times(post.times().createdAt(), date, now),
                post.requestCount() + 1);
    }

    /** The slug that an update leads to; null = the present one. */
    private static @Nullable String newSlug(WordPressSite site, Post before, PostInput input) {
        PostStatus status = input.status() == null ? before.status() : input.status();
        String wanted = input.slug() == null ? null : Slugs.sanitize(input.slug());
        if (before.status() == PostStatus.TRASH && status != PostStatus.TRASH && before.desiredSlug() != null) {
            wanted = before.desiredSlug();
        }
        if (wanted == null && before.slug().isEmpty() && isNamed(status)) {
            wanted = Slugs.sanitize(site.texts(site.get(before.id())).title());
        }
        if (wanted == null && isNamed(status)) {
            // Each save asks again, so of two posts that share a slug the next one saved loses it.
            wanted = before.slug();
        }
        if (wanted == null || wanted.isEmpty()) {
            return null;
        }
        return Slugs.unique(wanted, false, candidate -> site.isTaken(candidate, before.id()));
    }

    StoredPost trash(WordPressSite site, long id, Recording recording) {
        Instant second = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Post before = site.get(id).post();
        if (before.status() == PostStatus.TRASH) {
            throw RestError.of(410, "rest_already_trashed", "The post has already been deleted.");
        }
        String slug = before.slug().isEmpty()
                ? ""
                : Slugs.unique(Slugs.trashed(before.slug()), false, candidate -> site.isTaken(candidate, id));
        return site.update(
                id,
                post -> new Post(
                        id,
                        slug,
                        PostStatus.TRASH,
                        post.authorId(),
                        post.slug().isEmpty() ? null : before.slug(),
                        new Post.Times(post.times().createdAt(), post.times().date(), second),
                        post.requestCount() + 1),
                texts -> texts,
                recording);
    }

    private static PostStatus scheduled(PostStatus status, Instant date, Instant now) {
        if (status == PostStatus.PUBLISH && date.isAfter(now)) {
            return PostStatus.FUTURE;
        }
        return status == PostStatus.FUTURE && !date.isAfter(now) ? PostStatus.PUBLISH : status;
    }

    /** Drafts may do without a slug. */
    private static boolean isNamed(PostStatus status) {
        return status != PostStatus.DRAFT && status != PostStatus.PENDING;
    }

    private static PostTexts cleaned(WordPressUser user, PostTexts texts) {
        return user.role() == WordPressUser.Role.ADMINISTRATOR
                ? texts
                : new PostTexts(Kses.clean(texts.title()), Kses.clean(texts.content()), Kses.clean(texts.excerpt()));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
