package dev.postonce.ingest.site;

import dev.postonce.ingest.site.JdbcSites.Extent;
import dev.postonce.ingest.storage.TenantScope;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.Answers;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.Queries;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.ServletWebRequest;
import org.springframework.web.util.UriComponentsBuilder;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A tenant's sites; and their sitemaps, for everybody who was told a site's public id. */
@RestController
public final class SitemapController {

    private static final Pattern PUBLIC_ID = Pattern.compile("[0-9a-f]{32}");
    private static final Set<String> PARAMETERS = Set.of("after", "upto");
    private static final int STEP_ENTRIES = 1_000;
    private static final String CACHE = "public, max-age=60";

    /**
     * How many entries a file has.
     *
     * @param fileMax a site with more gets an index; the protocol allows 50,000
     * @param page of a file that an index names; small enough for its limit of 50 MB whatever the slugs are
     */
    record Limits(int fileMax, int page) {

        static final Limits STANDARD = new Limits(50_000, 20_000);
    }

    private final JdbcSites sites;
    private final InstantSource clock;
    private final Limits limits;

    SitemapController(JdbcSites sites, InstantSource clock, Limits limits) {
        this.sites = sites;
        this.clock = clock;
        this.limits = limits;
    }

    @GetMapping("/v1/sites")
    ResponseEntity<byte[]> list(HttpServletRequest request) {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/sites");
        List<Site> own = sites.ofTenant(exchange.caller(Scope.READ).tenantId());
        ObjectNode body = Answers.begin(exchange);
        ArrayNode list = body.putArray("sites");
        own.forEach(site -> list.addObject()
                .put("site", site.site())
                .put("base_url", site.baseUrl())
                .put("url_pattern", site.urlPattern())
                .put("sitemap", site.sitemapPath()));
        return Answers.ok(body);
    }

    @GetMapping("/v1/sites/{site}/sitemap.xml")
    void sitemap(HttpServletRequest request, HttpServletResponse response, @PathVariable String site)
            throws IOException {
        Exchange exchange = Exchange.of(request);
        exchange.enters("GET /v1/sites/{site}/sitemap.xml");
        Map<String, String> query = Queries.of(request, PARAMETERS);
        Site found = find(site);
        // Nobody in particular asks; what is shown is this tenant's, and only that.
        try (TenantScope scope = TenantScope.enter(found.tenantId())) {
            show(found, query, request, response);
        }
    }

    private void show(Site found, Map<String, String> query, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Instant now = clock.instant().truncatedTo(ChronoUnit.SECONDS);
        Extent extent = sites.extent(found, now);
        response.setHeader("Cache-Control", CACHE);
        if (new ServletWebRequest(request, response).checkNotModified(etag(extent, query), millis(extent))) {
            return;
        }
        response.setContentType("application/xml;charset=UTF-8");
        Writer out =
                new BufferedWriter(new OutputStreamWriter(response.getOutputStream(), StandardCharsets.UTF_8), 16_384);
        SitemapXml xml = new SitemapXml(out);
        if (query.isEmpty() && extent.entries() > limits.fileMax()) {
            index(xml, request, found, now, extent);
        } else {
            urls(xml, found, now, query.getOrDefault("after", ""), query.get("upto"));
        }
        out.flush();
    }

    private Site find(String publicId) {
        if (!PUBLIC_ID.matcher(publicId).matches()) {
            throw unknown();
        }
        return sites.byPublicId(publicId).orElseThrow(SitemapController::unknown);
    }

    private static Refusal unknown() {
        return Refusal.of(ErrorCode.NOT_FOUND, "there is no site with this public id");
    }

    private static String etag(Extent extent, Map<String, String> query) {
        long changed = extent.changedAt() == null ? 0 : extent.changedAt().toEpochMilli();
        return "\"" + extent.entries() + "-" + Long.toString(changed, 36) + "-" + Integer.toHexString(query.hashCode())
                + "\"";
    }

    /** Times that HTTP knows have whole seconds: one that was cut off must not hide a later change. */
    private static long millis(Extent extent) {
        return extent.changedAt() == null
                ? -1
                : extent.changedAt()
                        .truncatedTo(ChronoUnit.SECONDS)
                        .plusSeconds(1)
                        .toEpochMilli();
    }

    private void urls(SitemapXml xml, Site site, Instant now, String after, @Nullable String upto) throws IOException {
        xml.beginUrls();
        String last = after;
        for (int written = 0; written < limits.fileMax(); written += STEP_ENTRIES) {
            int step = Math.min(STEP_ENTRIES, limits.fileMax() - written);
            List<Entry> entries = sites.entries(site, now, last, upto, step);
            for (Entry entry : entries) {
                xml.url(site, entry);
            }
            if (entries.size() < step) {
                break;
            }
            last = entries.get(entries.size() - 1).slug();
        }
        xml.endUrls();
    }

    private void index(SitemapXml xml, HttpServletRequest request, Site site, Instant now, Extent extent)
            throws IOException {
        String base = request.getRequestURL().toString();
        xml.beginIndex();
        @Nullable String after = null;
        for (String upto : sites.pageStarts(site, now, limits.page())) {
            xml.sitemap(page(base, after, upto), extent.changedAt());
            after = upto;
        }
        if (extent.entries() % limits.page() != 0) {
            xml.sitemap(page(base, after, null), extent.changedAt());
        }
        xml.endIndex();
    }

    private static String page(String base, @Nullable String after, @Nullable String upto) {
        UriComponentsBuilder url = UriComponentsBuilder.fromUriString(base);
        if (after != null) {
            url.queryParam("after", "{after}");
        }
        if (upto != null) {
            url.queryParam("upto", "{upto}");
        }
        return url.encode()
                .buildAndExpand(Map.of("after", after == null ? "" : after, "upto", upto == null ? "" : upto))
                .toUriString();
    }
}
