package dev.postonce.sandbox.wordpress;

import dev.postonce.sandbox.journal.JournalRef;

/** What stays in memory of a post; its texts are read from the journal when they are shown. */
record StoredPost(Post post, Markers markers, String titleStart, JournalRef ref) {

    private static final int TITLE_CHARACTERS_MAX = 200;

    static StoredPost of(Post post, PostTexts texts, JournalRef ref) {
        String start = texts.title().substring(0, Math.min(texts.title().length(), TITLE_CHARACTERS_MAX));
        return new StoredPost(post, Markers.in(texts), start, ref);
    }
}
