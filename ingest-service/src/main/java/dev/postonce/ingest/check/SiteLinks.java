package dev.postonce.ingest.check;

import dev.postonce.ingest.check.Surroundings.Site;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.web.util.HtmlUtils;
import org.springframework.web.util.UriUtils;

/** The links of a cleaned text, and which of them are articles of its site. */
final class SiteLinks {

    static final int LINKS_MAX = 500;
    private static final Pattern HREF = Pattern.compile("<a [^>]*?href=\"([^\"]*)\"");

    /**
     * @param relative whether it names no host
     * @param slug of the site's article that it names; null for every other address
     * @param own whether it leads into the site
     */
    record Link(String text, boolean relative, boolean own, @Nullable String slug, @Nullable String host) {}

    private SiteLinks() {}

    static List<Link> of(String cleanHtml, @Nullable Site site) {
        List<Link> links = new ArrayList<>();
        Matcher href = HREF.matcher(cleanHtml);
        while (href.find() && links.size() < LINKS_MAX) {
            String text = HtmlUtils.htmlUnescape(href.group(1)).strip();
            if (!text.isEmpty() && !text.startsWith("#") && !text.startsWith("mailto:")) {
                parse(text).ifPresent(uri -> links.add(linkOf(text, uri, site)));
            }
        }
        return List.copyOf(links);
    }

    private static Optional<URI> parse(String text) {
        try {
            return Optional.of(new URI(text));
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    private static Link linkOf(String text, URI uri, @Nullable Site site) {
        boolean relative = uri.getHost() == null;
        if (site == null) {
            return new Link(text, relative, false, null, uri.getHost());
        }
        Optional<URI> base = parse(site.baseUrl());
        if (base.isEmpty() || base.get().getHost() == null) {
            return new Link(text, relative, false, null, uri.getHost());
        }
        boolean own = relative || base.get().getHost().equalsIgnoreCase(uri.getHost());
        return new Link(text, relative, own, own ? slugOf(uri, base.get(), site.urlPattern()) : null, uri.getHost());
    }

    private static @Nullable String slugOf(URI uri, URI base, String urlPattern) {
        @Nullable String path = uri.getRawPath();
        if (path == null || !path.startsWith("/")) {
            return null;
        }
        String basePath = base.getRawPath() == null ? "" : withoutEnd(base.getRawPath());
        Matcher article = articlePath(basePath, urlPattern).matcher(withoutEnd(path));
        return article.matches() ? UriUtils.decode(article.group("slug"), StandardCharsets.UTF_8) : null;
    }

    private static Pattern articlePath(String basePath, String urlPattern) {
        String pattern = withoutEnd(urlPattern.startsWith("/") ? urlPattern : "/" + urlPattern);
        String form = Pattern.quote(basePath + pattern)
                .replace("{language}", "\\E[A-Za-z0-9-]{2,35}\\Q")
                .replace("{slug}", "\\E(?<slug>[^/]+)\\Q");
        return Pattern.compile(form.contains("(?<slug>") ? form : "(?<slug>)(?!)");
    }

    private static String withoutEnd(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    /** By its text alone: this machine, or a network of one's own. */
    static boolean isPrivate(@Nullable String host) {
        if (host == null) {
            return false;
        }
        String name = host.toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || name.endsWith(".localhost")
                || name.endsWith(".local")
                || name.endsWith(".internal")
                || name.equals("[::1]")
                || name.startsWith("[fc")
                || name.startsWith("[fd")
                || name.startsWith("[fe80")
                || name.matches("(0|10|127)\\..*|192\\.168\\..*|169\\.254\\..*|172\\.(1[6-9]|2[0-9]|3[01])\\..*")
                        && name.matches("[0-9.]+");
    }
}
