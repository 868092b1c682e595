package dev.postonce.runtime.http;

import dev.postonce.runtime.http.HttpOutcome.Answered;
import dev.postonce.runtime.http.HttpOutcome.NotSent;
import dev.postonce.runtime.http.HttpOutcome.Unknown;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ConnectTimeoutException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * The one outgoing HTTP client: it resolves, checks every address, and connects to what it checked. It follows no
 * redirect, never retries by itself, and opens a connection for each request, so that a failure to connect proves
 * that nothing was sent. Safe for use by several threads.
 */
public final class SafeHttpClient implements AutoCloseable {

    private static final int CONNECTIONS_MAX = 256;

    private final OutgoingPolicy policy;
    private final CloseableHttpClient client;
    private final ScheduledExecutorService deadlines;

    public SafeHttpClient(OutgoingPolicy policy) {
        this(policy, SystemDefaultDnsResolver.INSTANCE);
    }

    SafeHttpClient(OutgoingPolicy policy, DnsResolver resolver) {
        this.policy = policy;
        Timeout connect = Timeout.of(policy.connectTimeout());
        Timeout total = Timeout.of(policy.totalTimeout());
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setDnsResolver(new CheckingResolver(resolver, policy))
                .setMaxConnTotal(CONNECTIONS_MAX)
                .setMaxConnPerRoute(CONNECTIONS_MAX)
                .setDefaultConnectionConfig(ConnectionConfig.custom()
                        .setConnectTimeout(connect)
                        .setSocketTimeout(total)
                        .build())
                .build();
        this.client = HttpClients.custom()
                .setConnectionManager(connections)
                .setDefaultRequestConfig(RequestConfig.custom()
                        .setResponseTimeout(total)
                        .setConnectionRequestTimeout(connect)
                        .setRedirectsEnabled(false)
                        .setAuthenticationEnabled(false)
                        .build())
                .setConnectionReuseStrategy((request, response, context) -> false)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableContentCompression()
                .setUserAgent("Postonce")
                .evictIdleConnections(TimeValue.ofSeconds(30))
                .build();
        this.deadlines = Executors.newSingleThreadScheduledExecutor(runnable -> {
            Thread thread = new Thread(runnable, "outgoing-deadlines");
            thread.setDaemon(true);
            return thread;
        });
    }

    /** Why a URL would not be called, judged by its text alone; empty if it may be tried. Used at acceptance. */
    public static Optional<String> refusalOf(URI url, OutgoingPolicy policy) {
        return UrlGuard.refusalOf(url, policy);
    }

    /** Sends the request once. Never throws for what the network or the peer does. */
    public HttpOutcome send(HttpCall call) {
        Optional<String> refusal = UrlGuard.refusalOf(call.url(), policy);
        if (refusal.isPresent()) {
            return new NotSent("blocked_url", refusal.get());
        }
        HttpUriRequestBase request = new HttpUriRequestBase(call.method(), call.url());
        call.headers().forEach(request::setHeader);
        byte[] body = call.body();
        if (body != null) {
            // The content type stands among the headers; the entity must not set another.
            request.setEntity(new ByteArrayEntity(body, (ContentType) null));
        }
        AtomicBoolean overdue = new AtomicBoolean();
        ScheduledFuture<?> deadline = deadlines.schedule(
                () -> {
                    overdue.set(true);
                    request.abort();
                },
                policy.connectTimeout().plus(policy.totalTimeout()).toMillis(),
                TimeUnit.MILLISECONDS);
        try {
            return client.execute(request, this::read);
        } catch (IOException | RuntimeException e) {
            return classify(e, overdue.get());
        } finally {
            deadline.cancel(false);
        }
    }

    private Answered read(ClassicHttpResponse response) throws IOException {
        Map<String, List<String>> headers = new LinkedHashMap<>();
        for (Header header : response.getHeaders()) {
            headers.computeIfAbsent(header.getName().toLowerCase(Locale.ROOT), key -> new ArrayList<>())
                    .add(header.getValue());
        }
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return new Answered(response.getCode(), headers, new byte[0], false);
        }
        try (InputStream content = entity.getContent()) {
            byte[] body = content.readNBytes(policy.responseBytesMax());
            boolean truncated = body.length == policy.responseBytesMax() && content.readNBytes(1).length > 0;
            if (truncated) {
                // Closing would drain an endless body first.
                response.close();
            }
            return new Answered(response.getCode(), headers, body, truncated);
        }
    }

    /** Only what happens before the first byte of the request counts as not sent; all else is unknown. */
    private static HttpOutcome classify(Exception failure, boolean overdue) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BlockedAddressException) {
                return new NotSent("blocked_address", String.valueOf(cause.getMessage()));
            }
            if (cause instanceof UnknownHostException) {
                return new NotSent("no_address", "the host has no address");
            }
            if (cause instanceof ConnectTimeoutException
                    || cause instanceof ConnectException
                    || cause instanceof NoRouteToHostException) {
                return new NotSent("connect_failed", describe(cause));
            }
            if (cause instanceof javax.net.ssl.SSLHandshakeException
                    || cause instanceof javax.net.ssl.SSLPeerUnverifiedException) {
                return new NotSent("tls_failed", describe(cause));
            }
        }
        if (overdue) {
            return new Unknown("timeout", "no whole answer in time");
        }
        if (failure instanceof java.net.SocketTimeoutException) {
            return new Unknown("timeout", "no answer in time");
        }
        return new Unknown(failure instanceof SSLException ? "tls_broken" : "connection_broken", describe(failure));
    }

    private static String describe(Throwable cause) {
        return cause.getClass().getSimpleName();
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
        client.close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
    }

    /** Thrown while resolving, so before any connection exists. */
    private static final class BlockedAddressException extends UnknownHostException {
        private static final long serialVersionUID = 1;

        BlockedAddressException(String host) {
            super("the address of " + host + " is not public");
        }
    }

    /** Checks at connect time, since a name may point elsewhere than it did at acceptance. */
    private record CheckingResolver(DnsResolver resolver, OutgoingPolicy policy) implements DnsResolver {

        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            InetAddress[] addresses = resolver.resolve(host);
            for (InetAddress address : addresses) {
                if (!AddressGuard.isAllowed(address, policy)) {
                    throw new BlockedAddressException(host);
                }
            }
            return addresses;
        }

        @Override
        public String resolveCanonicalHostname(String host) {
            return host;
        }
    }
}
