package dev.postonce.ingest.callback;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * How callbacks are sent; docs/names.md lists the environment variables.
 *
 * @param schedule the delay before each attempt; after the last one a callback is parked
 * @param timeout for one request, its connection excepted
 * @param lease how long a lane belongs to the worker that claimed it; must outlast a request
 * @param poll how often lanes that are due are looked for
 * @param threads requests at once
 * @param tenantThreadsMax of these, for one tenant, so that one slow endpoint does not hold up the others
 * @param trustedHosts {@code host:port} of receivers inside the own network; every tenant may name them
 */
@ConfigurationProperties("postonce.callback")
public record CallbackSettings(
        @DefaultValue({"0s", "5s", "5m", "30m", "2h", "5h", "10h", "10h"}) List<Duration> schedule,
        @DefaultValue("20s") Duration timeout,
        @DefaultValue("60s") Duration lease,
        @DefaultValue("1s") Duration poll,
        @DefaultValue("8") int threads,
        @DefaultValue("4") int tenantThreadsMax,
        @DefaultValue Set<String> trustedHosts) {

    static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int ATTEMPTS_MAX = 50;

    public CallbackSettings {
        require(!schedule.isEmpty() && schedule.size() <= ATTEMPTS_MAX, "SCHEDULE needs 1 to 50 delays");
        require(schedule.stream().noneMatch(Duration::isNegative), "SCHEDULE has a negative delay");
        require(threads >= 1 && tenantThreadsMax >= 1, "THREADS and TENANT_THREADS_MAX start at 1");
        require(
                lease.compareTo(timeout.plus(CONNECT_TIMEOUT)) > 0,
                "LEASE must be longer than TIMEOUT and 5 s: else two workers send one lane");
        schedule = List.copyOf(schedule);
        trustedHosts = trustedHosts.stream()
                .map(host -> host.toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }

    private static void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException("POSTONCE_CALLBACK_" + otherwise);
        }
    }
}
