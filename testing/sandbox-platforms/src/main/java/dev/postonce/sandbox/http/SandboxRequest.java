package dev.postonce.sandbox.http;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One request as a stand-in sees it: the platform's and the account's part of the path are taken off. */
public final class SandboxRequest {

    private final String method;
    private final String account;
    private final String path;
    private final String rawQuery;
    private final Map<String, String> headers;
    private final byte[] body;
    private final Map<String, List<String>> query;

    SandboxRequest(
            String method,
            String account,
            String path,
            @Nullable String rawQuery,
            Map<String, String> headers,
            byte[] body) {
        this.method = method.toUpperCase(Locale.ROOT);
        this.account = account;
        this.path = path;
        this.rawQuery = rawQuery == null ? "" : rawQuery;
        this.headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        this.headers.putAll(headers);
        this.body = body;
        this.query = parse(this.rawQuery);
    }

    public String method() {
        return method;
    }

    /** The site, the endpoint or the sink's name. */
    public String account() {
        return account;
    }

    /** What follows the account, with its leading slash; empty if nothing does. */
    public String path() {
        return path;
    }

    public String rawQuery() {
        return rawQuery;
    }

    public byte[] body() {
        return body;
    }

    public @Nullable String header(String name) {
        return headers.get(name);
    }

    public Map<String, String> headers() {
        return headers;
    }

    /** The parameter's last value, as most servers take it. */
    public @Nullable String parameter(String name) {
        List<String> values = query.getOrDefault(name, List.of());
        return values.isEmpty() ? null : values.get(values.size() - 1);
    }

    /** The values of {@code name=a,b} and of {@code name[]=a&name[]=b} alike; empty if there is none. */
    public List<String> listParameter(String name) {
        List<String> values = new ArrayList<>();
        String single = parameter(name);
        if (single != null) {
            for (String value : single.split("[\\s,]+")) {
                if (!value.isEmpty()) {
                    values.add(value);
                }
            }
        }
        values.addAll(query.getOrDefault(name + "[]", List.of()));
        return values;
    }

    private static Map<String, List<String>> parse(String rawQuery) {
        Map<String, List<String>> parsed = new LinkedHashMap<>();
        for (String pair : rawQuery.split("&")) {
            int equals = pair.indexOf('=');
            String name = equals < 0 ? pair : pair.substring(0, equals);
            if (!name.isEmpty()) {
                String value = equals < 0 ? "" : pair.substring(equals + 1);
                parsed.computeIfAbsent(decode(name), key -> new ArrayList<>()).add(decode(value));
            }
        }
        return parsed;
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return text;
        }
    }
}
