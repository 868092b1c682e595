package dev.postonce.runtime.http;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * What outgoing requests may do.
 *
 * @param allowHttp whether plain http may be used; only the standalone switches it on
 * @param allowLoopback whether loopback addresses may be reached; only the standalone switches it on
 * @param allowedPorts ports that may be reached; empty means 443, and 80 where plain http is allowed; with
 *     {@code allowLoopback} every port of a loopback address may be reached
 * @param trustedHosts {@code host:port} in lower case; these may be reached by http and at private addresses too. An
 *     operator names them for platforms inside the own network; never take one from a tenant
 * @param connectTimeout for the connection and the TLS handshake
 * @param totalTimeout from the first byte sent to the last byte read
 * @param responseBytesMax bytes of an answer that are read; the rest is cut off
 */
public record OutgoingPolicy(
        boolean allowHttp,
        boolean allowLoopback,
        Set<Integer> allowedPorts,
        Set<String> trustedHosts,
        Duration connectTimeout,
        Duration totalTimeout,
        int responseBytesMax) {

    public static OutgoingPolicy strict(Duration totalTimeout, int responseBytesMax) {
        return new OutgoingPolicy(
                false, false, Set.of(), Set.of(), Duration.ofSeconds(5), totalTimeout, responseBytesMax);
    }

    public static OutgoingPolicy loopbackToo(Duration totalTimeout, int responseBytesMax) {
        return new OutgoingPolicy(
                true, true, Set.of(), Set.of(), Duration.ofSeconds(5), totalTimeout, responseBytesMax);
    }

    /** The same policy that also trusts these {@code host:port}s. */
    public OutgoingPolicy trusting(Set<String> hosts) {
        return new OutgoingPolicy(
                allowHttp,
                allowLoopback,
                allowedPorts,
                Set.copyOf(hosts),
                connectTimeout,
                totalTimeout,
                responseBytesMax);
    }

    boolean trusts(String host, int port) {
        return trustedHosts.contains(host.toLowerCase(Locale.ROOT) + ":" + port);
    }

    boolean trustsAddressesOf(String host) {
        String prefix = host.toLowerCase(Locale.ROOT) + ":";
        return trustedHosts.stream().anyMatch(trusted -> trusted.startsWith(prefix));
    }
}
