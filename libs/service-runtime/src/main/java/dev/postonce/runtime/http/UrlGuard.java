package dev.postonce.runtime.http;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Judges a URL by its text; addresses are judged when they are resolved. */
final class UrlGuard {

    private static final int URL_CHARACTERS_MAX = 2048;
    /** Decimal, octal and hexadecimal spellings of IPv4 addresses, which resolvers read as addresses. */
    private static final Pattern NUMERIC_HOST =
            Pattern.compile("(?i)(0x[0-9a-f]*|[0-9]+)(\\.(0x[0-9a-f]*|[0-9]+))*\\.?");

    private UrlGuard() {}

    static Optional<String> refusalOf(URI url, OutgoingPolicy policy) {
        String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
        String host = url.getHost();
        if (url.toString().length() > URL_CHARACTERS_MAX) {
            return Optional.of("longer than " + URL_CHARACTERS_MAX + " characters");
        }
        if (isTrusted(url, scheme, policy)) {
            return Optional.empty();
        }
        if (!scheme.equals("https") && !(scheme.equals("http") && policy.allowHttp())) {
            return Optional.of(policy.allowHttp() ? "neither https nor http" : "not https");
        }
        if (host == null || host.isEmpty()) {
            return Optional.of("no host");
        }
        if (url.getRawUserInfo() != null) {
            return Optional.of("user information in the URL");
        }
        if (policy.allowLoopback() && isLoopbackName(host)) {
            return Optional.empty();
        }
        if (host.startsWith("[") || NUMERIC_HOST.matcher(host).matches()) {
            return Optional.of("an address instead of a host name");
        }
        String bare = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
        if (!bare.contains(".") || isLocalName(bare.toLowerCase(Locale.ROOT))) {
            return Optional.of("not a public host name");
        }
        return refusalOfPort(url, scheme, policy);
    }

    private static boolean isTrusted(URI url, String scheme, OutgoingPolicy policy) {
        String host = url.getHost();
        return (scheme.equals("https") || scheme.equals("http"))
                && host != null
                && url.getRawUserInfo() == null
                && policy.trusts(host, portOf(url, scheme));
    }

    private static int portOf(URI url, String scheme) {
        return url.getPort() == -1 ? (scheme.equals("https") ? 443 : 80) : url.getPort();
    }

    private static Optional<String> refusalOfPort(URI url, String scheme, OutgoingPolicy policy) {
        int port = portOf(url, scheme);
        boolean allowed = policy.allowedPorts().isEmpty()
                ? port == 443 || (port == 80 && policy.allowHttp())
                : policy.allowedPorts().contains(port);
        return allowed ? Optional.empty() : Optional.of("port " + port + " is not allowed");
    }

    private static boolean isLoopbackName(String host) {
        return host.equalsIgnoreCase("localhost") || host.equals("127.0.0.1") || host.equals("[::1]");
    }

    private static boolean isLocalName(String host) {
        return host.equals("localhost")
                || host.endsWith(".localhost")
                || host.endsWith(".local")
                || host.endsWith(".internal")
                || host.endsWith(".home.arpa");
    }
}
