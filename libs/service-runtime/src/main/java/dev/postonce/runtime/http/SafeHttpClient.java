package dev.postonce.runtime.http;

import dev.postonce.runtime.http.HttpOutcome.Answered;
import dev.postonce.runtime.http.HttpOutcome.NotSent;
import dev.postonce.runtime.http.HttpOutcome.Unknown;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
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
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.ChainElement;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * The one outgoing HTTP client: it resolves, checks every address, and connects to what it checked. It follows no
 * redirect, never retries by itself, and opens a connection for each request, so that a failure to connect proves
 * that nothing was sent. Safe for use by several threads.
 */
public final class SafeHttpClient implements AutoCloseable {

    private static final int CONNECTIONS_MAX = 256;
    private static final int HEADER_LINE_BYTES_MAX = 16_384;
    private static final int HEADERS_MAX = 200;
    private static final String CONNECTED = "postonce.connected";

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
                .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                        .http1Config(Http1Config.custom()
                                .setMaxLineLength(HEADER_LINE_BYTES_MAX)
                                .setMaxHeaderCount(HEADERS_MAX)
                                .build())
                        .build())
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
                .addExecInterceptorAfter(ChainElement.CONNECT.name(), CONNECTED, (request, scope, chain) -> {
                    scope.clientContext.setAttribute(CONNECTED, true);
                    return chain.proceed(request, scope);
                })
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
        HttpClientContext context = HttpClientContext.create();
        AtomicBoolean overdue = new AtomicBoolean();
        AtomicReference<@Nullable Answered> cut = new AtomicReference<>();
        ScheduledFuture<?> deadline = deadlines.schedule(
                () -> {
                    overdue.set(true);
                    request.abort();
                },
                policy.connectTimeout().plus(policy.totalTimeout()).toMillis(),
                TimeUnit.MILLISECONDS);
        try {
            return client.execute(request, context, response -> read(response, request, cut));
        } catch (IOException | RuntimeException e) {
            Answered answered = cut.get();
            if (answered != null) {
                return answered;
            }
            boolean connected = context.getAttribute(CONNECTED) != null;
            return connected ? unknown(e, overdue.get()) : notSent(e, overdue.get());
        } finally {
            deadline.cancel(false);
        }
    }

    private Answered read(
            ClassicHttpResponse response, HttpUriRequestBase request, AtomicReference<@Nullable Answered> cut)
            throws IOException {
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
            Answered answered = new Answered(response.getCode(), headers, body, truncated);
            if (truncated) {
                // Closing the stream would read an endless body to its end; on an aborted connection it fails at once.
                cut.set(answered);
                request.abort();
            }
            return answered;
        }
    }

    /** The connection, its TLS handshake included, did not come about: no byte of the request can have left. */
    private static HttpOutcome notSent(Exception failure, boolean overdue) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof BlockedAddressException) {
                return new NotSent("blocked_address", String.valueOf(cause.getMessage()));
            }
            if (cause instanceof UnknownHostException) {
                return new NotSent("no_address", "the host has no address");
            }
            if (cause instanceof SSLException) {
                return new NotSent("tls_failed", describe(cause));
            }
        }
        return new NotSent("connect_failed", overdue ? "no connection in time" : describe(failure));
    }

    private static HttpOutcome unknown(Exception failure, boolean overdue) {
        if (overdue) {
            return new Unknown("timeout", "no whole answer in time");
        }
        if (failure instanceof SocketTimeoutException) {
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
            if (policy.trustsAddressesOf(host)) {
                return addresses;
            }
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
