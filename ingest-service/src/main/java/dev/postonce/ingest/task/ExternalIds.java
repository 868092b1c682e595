package dev.postonce.ingest.task;

import dev.postonce.contract.Digests;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The external id of a submission that brings none: the same for the same thing, so that it deduplicates. */
public final class ExternalIds {

    static final Pattern FORM = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern READABLE_REFERENCE = Pattern.compile("[A-Za-z0-9_-]{1,60}");
    private static final Pattern DERIVED = Pattern.compile("br_.+|(?:brh|fp)_[0-9a-f]{56}");
    private static final int DIGEST_CHARACTERS = 56;

    private ExternalIds() {}

    /**
     * {@code br_} and the reference itself where it fits, so that people find it; else {@code brh_} and its digest.
     */
    public static String ofBusinessReference(String businessRefId) {
        return READABLE_REFERENCE.matcher(businessRefId).matches()
                ? "br_" + businessRefId
                : "brh_" + Digests.sha256Hex(businessRefId).substring(0, DIGEST_CHARACTERS);
    }

    /** {@code fp_} and SHA-256 over {@code language|slug|translation_key|sha256(content)}. */
    public static String ofArticle(
            @Nullable String language, @Nullable String slug, @Nullable String translationKey, String source) {
        String fingerprint =
                String.join("|", orEmpty(language), orEmpty(slug), orEmpty(translationKey), Digests.sha256Hex(source));
        return "fp_" + Digests.sha256Hex(fingerprint).substring(0, DIGEST_CHARACTERS);
    }

    /** Whether an id has the form of one that is derived here. */
    static boolean isDerived(String externalId) {
        return DERIVED.matcher(externalId).matches();
    }

    private static String orEmpty(@Nullable String value) {
        return value == null ? "" : value;
    }
}
