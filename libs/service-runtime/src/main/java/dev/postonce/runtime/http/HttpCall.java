package dev.postonce.runtime.http;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One outgoing request: method, absolute URL, headers and the exact bytes of the body. */
public record HttpCall(String method, URI url, Map<String, String> headers, byte @Nullable [] body) {

    public static HttpCall get(URI url, Map<String, String> headers) {
        return new HttpCall("GET", url, headers, null);
    }

    public static HttpCall post(URI url, Map<String, String> headers, byte[] body) {
        return new HttpCall("POST", url, headers, body);
    }

    public HttpCall withHeader(String name, String value) {
        Map<String, String> all = new LinkedHashMap<>(headers);
        all.put(name, value);
        return new HttpCall(method, url, all, body);
    }
}
