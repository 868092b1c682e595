package dev.postonce.sandbox.wordpress;

import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** A post's texts, as stored: what {@code raw} shows. */
record PostTexts(String title, String content, String excerpt) {

    static PostTexts fromJson(JsonNode json) {
        return new PostTexts(
                json.get("title").asString(),
                json.get("content").asString(),
                json.get("excerpt").asString());
    }

    boolean isEmpty() {
        return title.isEmpty() && content.isEmpty() && excerpt.isEmpty();
    }

    /** As the database compares: without regard to case. */
    boolean contains(String lowerCaseTerm) {
        return title.toLowerCase(Locale.ROOT).contains(lowerCaseTerm)
                || excerpt.toLowerCase(Locale.ROOT).contains(lowerCaseTerm)
                || content.toLowerCase(Locale.ROOT).contains(lowerCaseTerm);
    }
}
