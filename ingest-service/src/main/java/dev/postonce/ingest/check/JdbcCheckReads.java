package dev.postonce.ingest.check;

import dev.postonce.ingest.check.Surroundings.Relative;
import dev.postonce.ingest.check.Surroundings.Site;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.task.TaskSubmission;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What the check asks of the database; it reads only. */
final class JdbcCheckReads {

    private static final String SITE =
            "select base_url, url_pattern from ingest.site where tenant_id = :tenant_id and site = :site";

    private static final String RELATIVES =
            """
            select external_id, status, slug, language, translation_key
            from ingest.task
            where tenant_id = :tenant_id and external_id = :external_id
            union
            select external_id, status, slug, language, translation_key
            from ingest.task
            where tenant_id = :tenant_id and slug = :slug and coalesce(site, '') = coalesce(:site, '')
            union
            select external_id, status, slug, language, translation_key
            from ingest.task
            where tenant_id = :tenant_id and site = :site and translation_key = :translation_key
            limit 50
            """;

    private static final String PUBLIC_SLUGS =
            """
            select slug from ingest.task
            where tenant_id = :tenant_id and coalesce(site, '') = :site and slug = any (cast(:slugs as text[]))
              and status = 'active'
            """;

    private final JdbcClient jdbc;

    JdbcCheckReads(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<Site> site(String tenantId, @Nullable String site) {
        return site == null
                ? Optional.empty()
                : jdbc.sql(SITE)
                        .param("tenant_id", tenantId)
                        .param("site", site)
                        .query((row, number) -> new Site(row.getString("base_url"), row.getString("url_pattern")))
                        .optional();
    }

    List<Relative> relatives(String tenantId, TaskSubmission article) {
        return jdbc.sql(RELATIVES)
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenantId)
                        .text("external_id", article.externalId())
                        .text("site", article.site())
                        .text("slug", article.slug())
                        .text("translation_key", article.translationKey()))
                .query((row, number) -> new Relative(
                        row.getString("external_id"),
                        row.getString("status"),
                        row.getString("slug"),
                        row.getString("language"),
                        row.getString("translation_key")))
                .list();
    }

    Set<String> publicSlugs(String tenantId, String site, Collection<String> slugs) {
        return slugs.isEmpty()
                ? Set.of()
                : Set.copyOf(jdbc.sql(PUBLIC_SLUGS)
                        .paramSource(new JdbcParameters()
                                .text("tenant_id", tenantId)
                                .text("site", site)
                                .texts("slugs", slugs))
                        .query(String.class)
                        .list());
    }
}
