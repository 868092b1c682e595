package dev.postonce.dispatch.wordpress;

/** As an author, whose HTML the site cleans and who sees no drafts of others. */
class WordPressCounterpartAuthorIT extends WordPressCounterpartIT {

    @Override
    String role() {
        return "author";
    }
}
