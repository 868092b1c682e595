package dev.postonce.ingest.check;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is stored around an article, of its tenant alone.
 *
 * @param site null where the article names none, or the tenant has no such site
 * @param relatives tasks of the same external id, slug or translation key
 * @param publicSlugs of the linked ones, those that the site shows
 */
record Surroundings(@Nullable Site site, List<Relative> relatives, Set<String> publicSlugs) {

    static final Surroundings NONE = new Surroundings(null, List.of(), Set.of());

    record Site(String baseUrl, String urlPattern) {}

    record Relative(
            String externalId,
            String status,
            @Nullable String slug,
            @Nullable String language,
            @Nullable String translationKey) {}

    Optional<Relative> itself(String externalId) {
        return relatives.stream()
                .filter(relative -> relative.externalId().equals(externalId))
                .findFirst();
    }

    List<Relative> others(String externalId) {
        return relatives.stream()
                .filter(relative -> !relative.externalId().equals(externalId))
                .toList();
    }
}
