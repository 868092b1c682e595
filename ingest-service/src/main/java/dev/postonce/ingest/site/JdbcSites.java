package dev.postonce.ingest.site;

import dev.postonce.ingest.site.Entry.Alternate;
import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import dev.postonce.ingest.web.Answers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * What a site shows. An article is listed while it is active, or withdrawn with its page kept; from its time on; and
 * where its address can be formed.
 */
final class JdbcSites {

    private static final String OF_TENANT =
            """
            select tenant_id, site, public_id, base_url, url_pattern from ingest.site
            where tenant_id = :tenant_id order by site
            """;

    private static final String BY_PUBLIC_ID =
            """
            select tenant_id, site, public_id, base_url, url_pattern from ingest.site where public_id = :public_id
            """;

    private static final String EXTENT =
            """
            select count(*) as entries, max(greatest(t.updated_at, t.publish_at)) as changed_at
            from ingest.task t
            where t.tenant_id = :tenant_id and coalesce(t.site, '') = :site and t.slug is not null
              and (t.status = 'active' or t.withdrawn_public = 'keep')
              and (t.publish_at is null or t.publish_at <= :now)
              and (t.language is not null or not :needs_language)
            """;

    // Where each further page begins, for the index.
    private static final String PAGE_STARTS =
            """
            select slug from (
              select t.slug, row_number() over (order by t.slug) as place
              from ingest.task t
              where t.tenant_id = :tenant_id and coalesce(t.site, '') = :site and t.slug is not null
                and (t.status = 'active' or t.withdrawn_public = 'keep')
                and (t.publish_at is null or t.publish_at <= :now)
                and (t.language is not null or not :needs_language)) as placed
            where place % :page = 0 order by slug
            """;

    private static final String ENTRIES =
            """
            select t.slug, t.language, greatest(t.updated_at, t.publish_at) as changed_at,
              (select json_agg(json_build_object('slug', a.slug, 'language', a.language) order by a.language, a.slug)
               from ingest.task a
               where a.tenant_id = t.tenant_id and a.site = t.site and a.translation_key = t.translation_key
                 and a.slug is not null and a.language is not null
                 and (a.status = 'active' or a.withdrawn_public = 'keep')
                 and (a.publish_at is null or a.publish_at <= :now)) as alternates
            from ingest.task t
            where t.tenant_id = :tenant_id and coalesce(t.site, '') = :site and t.slug is not null
              and t.slug > :after and (cast(:upto as text) is null or t.slug <= :upto)
              and (t.status = 'active' or t.withdrawn_public = 'keep')
              and (t.publish_at is null or t.publish_at <= :now)
              and (t.language is not null or not :needs_language)
            order by t.slug limit :limit
            """;

    /** @param changedAt null for an empty site */
    record Extent(long entries, @Nullable Instant changedAt) {}

    private final JdbcClient jdbc;
    private final JdbcClient finder;

    /**
     * @param jdbc the requests' storage
     * @param finder sees the sites of all tenants: whoever asks by a public id has no tenant yet
     */
    JdbcSites(JdbcClient jdbc, JdbcClient finder) {
        this.jdbc = jdbc;
        this.finder = finder;
    }

    List<Site> ofTenant(String tenantId) {
        return jdbc.sql(OF_TENANT)
                .param("tenant_id", tenantId)
                .query(JdbcSites::siteOf)
                .list();
    }

    Optional<Site> byPublicId(String publicId) {
        return finder.sql(BY_PUBLIC_ID)
                .param("public_id", publicId)
                .query(JdbcSites::siteOf)
                .optional();
    }

    Extent extent(Site site, Instant now) {
        return jdbc.sql(EXTENT)
                .paramSource(of(site, now))
                .query((row, number) -> new Extent(row.getLong("entries"), Rows.time(row, "changed_at")))
                .single();
    }

    /** Behind which slugs the second and all further pages begin. */
    List<String> pageStarts(Site site, Instant now, int pageEntries) {
        return jdbc.sql(PAGE_STARTS)
                .paramSource(of(site, now).number("page", (long) pageEntries))
                .query(String.class)
                .list();
    }

    /** @param upto the last slug; null for no end */
    List<Entry> entries(Site site, Instant now, String after, @Nullable String upto, int limit) {
        return jdbc.sql(ENTRIES)
                .paramSource(
                        of(site, now).text("after", after).text("upto", upto).number("limit", (long) limit))
                .query(JdbcSites::entryOf)
                .list();
    }

    private static JdbcParameters of(Site site, Instant now) {
        return new JdbcParameters()
                .text("tenant_id", site.tenantId())
                .text("site", site.site())
                .flag("needs_language", site.needsLanguage())
                .time("now", now);
    }

    private static Site siteOf(ResultSet row, int number) throws SQLException {
        return new Site(
                row.getString("tenant_id"),
                row.getString("site"),
                row.getString("public_id"),
                row.getString("base_url"),
                row.getString("url_pattern"));
    }

    private static Entry entryOf(ResultSet row, int number) throws SQLException {
        List<Alternate> alternates = new ArrayList<>();
        @Nullable String json = row.getString("alternates");
        if (json != null) {
            for (JsonNode alternate : Answers.mapper().readTree(json)) {
                alternates.add(new Alternate(
                        alternate.path("slug").asString(),
                        alternate.path("language").asString()));
            }
        }
        return new Entry(
                row.getString("slug"),
                row.getString("language"),
                Rows.requiredTime(row, "changed_at"),
                alternates.size() > 1 ? List.copyOf(alternates) : List.of());
    }
}
