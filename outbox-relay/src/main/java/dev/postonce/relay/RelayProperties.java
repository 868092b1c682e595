package dev.postonce.relay;

import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.RelaySettings;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * @param sources names of the services whose outbox is relayed
 * @param rebaseline operator's requests, {@code source@label}
 * @param instance empty: host name and process id
 * @param deliveryTimeout after which a record that Kafka did not acknowledge is sent anew
 */
@ConfigurationProperties("postonce.relay")
record RelayProperties(
        @DefaultValue({"ingest", "dispatch"}) List<String> sources,
        @DefaultValue("") String rebaseline,
        @DefaultValue("") String instance,
        @DefaultValue("10s") Duration claimTtl,
        @DefaultValue("5s") Duration checkEvery,
        @DefaultValue("30s") Duration deliveryTimeout) {

    private static final Duration RETRY_MIN = Duration.ofMillis(500);
    private static final Duration RETRY_MAX = Duration.ofSeconds(5);

    List<OutboxSource> outboxSources() {
        return sources.stream().map(OutboxSource::standard).toList();
    }

    RelaySettings settings() {
        return new RelaySettings(
                instance.isEmpty() ? hostAndProcess() : instance,
                claimTtl,
                checkEvery,
                RETRY_MIN,
                RETRY_MAX,
                RelaySettings.parseRebaseline(rebaseline, outboxSources()));
    }

    private static String hostAndProcess() {
        long pid = ProcessHandle.current().pid();
        try {
            return InetAddress.getLocalHost().getHostName() + ":" + pid;
        } catch (UnknownHostException e) {
            return "unknown-host:" + pid;
        }
    }
}
