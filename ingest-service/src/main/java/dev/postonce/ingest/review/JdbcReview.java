package dev.postonce.ingest.review;

import dev.postonce.ingest.storage.JdbcParameters;
import dev.postonce.ingest.storage.Rows;
import java.time.Instant;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The questions as statements; each gives subject, detail, time and the whole number. They read only. */
final class JdbcReview {

    private static final String DOUBLED_SLUGS =
            """
            select lower(t.slug) as subject, string_agg(t.external_id, ', ' order by t.external_id) as detail,
              max(t.updated_at) as at, count(*) over () as total
            from ingest.task t
            where t.tenant_id = :tenant_id and t.slug is not null and t.status = 'active'
            group by coalesce(t.site, ''), lower(t.slug)
            having count(*) > 1 and max(t.updated_at) >= :since and max(t.updated_at) < :until
            order by max(t.updated_at) desc limit :limit
            """;

    private static final String OPEN_AUDITS =
            """
            select coalesce(a.external_id, a.group_ref, a.route) as subject,
              a.outcome || ' ' || coalesce(a.error_code, '') || ', audit ' || a.id || ', request ' || a.request_id
                as detail,
              a.at, count(*) over () as total
            from ingest.audit a
            where a.outcome in ('conflict', 'refused', 'failed') and a.outcome <> 'refused'
              and a.tenant_id = :tenant_id and a.at >= :since and a.at < :until
              and not exists (select from ingest.audit_follow_up f where f.audit_id = a.id)
            order by a.id desc limit :limit
            """;

    private static final String OPEN_SEARCH_SUBMISSIONS =
            """
            select g.external_id as subject, g.platform || ' ' || g.state || coalesce(' ' || g.error_code, '') as detail,
              g.updated_at as at, count(*) over () as total
            from ingest.target g
            where g.tenant_id = :tenant_id and g.platform in ('baidu', 'indexnow', 'bing')
              and g.state not in ('submitted', 'withdrawn') and g.updated_at >= :since and g.updated_at < :until
              and g.updated_at < :settled_before
            order by g.updated_at desc, g.external_id limit :limit
            """;

    private static final String OPEN_TARGETS =
            """
            select g.external_id as subject, g.platform || ' ' || g.state || coalesce(' ' || g.error_code, '') as detail,
              g.updated_at as at, count(*) over () as total
            from ingest.target g
            where g.tenant_id = :tenant_id and g.platform not in ('baidu', 'indexnow', 'bing')
              and g.state in ('failed', 'in_doubt', 'awaiting_operator', 'not_configured', 'update_unsupported')
              and g.updated_at >= :since and g.updated_at < :until
            order by g.updated_at desc, g.external_id limit :limit
            """;

    private static final String INCOMPLETE_TRANSLATIONS =
            """
            with changed as (
              select distinct site, translation_key from ingest.task
              where tenant_id = :tenant_id and site is not null and translation_key is not null
                and updated_at >= :since and updated_at < :until
            ), several as (
              select site from ingest.task
              where tenant_id = :tenant_id and site is not null and language is not null and status = 'active'
              group by site having count(distinct language) > 1
            )
            select t.translation_key as subject,
              'only ' || min(t.language) || ' on ' || t.site || ': ' || string_agg(t.external_id, ', ') as detail,
              max(t.updated_at) as at, count(*) over () as total
            from changed c join several s on s.site = c.site
            join ingest.task t on t.tenant_id = :tenant_id and t.site = c.site and t.translation_key = c.translation_key
            where t.status = 'active'
            group by t.site, t.translation_key having count(distinct t.language) = 1
            order by max(t.updated_at) desc limit :limit
            """;

    private static final String MISSING_FROM_SITEMAP =
            """
            select t.external_id as subject,
              case when s.site is null then 'the tenant has no site ' || t.site
                when t.slug is null then 'no slug'
                else 'no language, which every address of ' || t.site || ' names' end as detail,
              t.updated_at as at, count(*) over () as total
            from ingest.task t left join ingest.site s on s.tenant_id = t.tenant_id and s.site = t.site
            where t.tenant_id = :tenant_id and t.site is not null and t.status = 'active'
              and t.updated_at >= :since and t.updated_at < :until
              and (s.site is null or t.slug is null
                or (t.language is null and position('{language}' in s.url_pattern) > 0))
            order by t.updated_at desc, t.external_id limit :limit
            """;

    private static final String BLIND_RETRIES =
            """
            select coalesce(max(a.external_id), max(a.group_ref), a.route) as subject,
              count(*) || ' times ' || a.status_code || ' ' || coalesce(a.error_code, '') || ' to ' || a.route
                || ' by client ' || coalesce(a.client_id, 'unknown') as detail,
              max(a.at) as at, count(*) over () as total
            from ingest.audit a
            where a.outcome in ('conflict', 'refused', 'failed') and a.outcome <> 'failed'
              and a.tenant_id = :tenant_id and a.at >= :since and a.at < :until
              and a.status_code between 400 and 499
              and a.error_code not in ('rate_limited', 'request_in_progress')
            group by a.client_id, a.route, a.status_code, a.error_code, coalesce(a.payload_digest, a.external_id, '')
            having count(*) >= 3
            order by count(*) desc, max(a.at) desc limit :limit
            """;

    private final JdbcClient jdbc;

    JdbcReview(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** @param settledBefore what changed later may still be on its way */
    List<Found> ask(Question question, String tenantId, Window window, Instant settledBefore, int limit) {
        return jdbc.sql(statement(question))
                .paramSource(new JdbcParameters()
                        .text("tenant_id", tenantId)
                        .time("since", window.since())
                        .time("until", window.until())
                        .time("settled_before", settledBefore)
                        .number("limit", (long) limit))
                .query((row, number) -> new Found(
                        row.getString("subject"), row.getString("detail"), Rows.time(row, "at"), row.getLong("total")))
                .list();
    }

    /** From the first moment up to, and without, the second. */
    record Window(Instant since, Instant until) {}

    private static String statement(Question question) {
        return switch (question) {
            case DOUBLED_SLUGS -> DOUBLED_SLUGS;
            case OPEN_AUDITS -> OPEN_AUDITS;
            case OPEN_SEARCH_SUBMISSIONS -> OPEN_SEARCH_SUBMISSIONS;
            case OPEN_TARGETS -> OPEN_TARGETS;
            case INCOMPLETE_TRANSLATIONS -> INCOMPLETE_TRANSLATIONS;
            case MISSING_FROM_SITEMAP -> MISSING_FROM_SITEMAP;
            case BLIND_RETRIES -> BLIND_RETRIES;
        };
    }
}
