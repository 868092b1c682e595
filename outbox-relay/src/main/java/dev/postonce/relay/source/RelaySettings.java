package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxSource;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How the sources are run.
 *
 * @param instance names this process in {@code relay.source}
 * @param claimTtl after which the claim of a silent relay passes to a standby
 * @param checkEvery how often slot, publication, cluster and topics are compared with what was recorded
 * @param retryMin the pause after a first failure; it doubles up to {@code retryMax}
 * @param rebaseline by source name, the operator's requests to begin anew
 */
public record RelaySettings(
        String instance,
        Duration claimTtl,
        Duration checkEvery,
        Duration retryMin,
        Duration retryMax,
        Map<String, String> rebaseline) {

    public RelaySettings {
        if (claimTtl.toMillis() < 2_000) {
            throw new IllegalArgumentException("postonce.relay.claim-ttl is at least 2 s, was " + claimTtl);
        }
        rebaseline = Map.copyOf(rebaseline);
    }

    @Nullable
    String rebaselineOf(OutboxSource source) {
        return rebaseline.get(source.name());
    }

    /**
     * @param text {@code source@label}, several divided by commas; the label makes a request differ from the last one
     * @throws IllegalArgumentException on a name that is no source: a typing error must not look like obedience
     */
    public static Map<String, String> parseRebaseline(String text, List<OutboxSource> sources) {
        Map<String, String> requests = new HashMap<>();
        for (String part : text.split(",")) {
            String request = part.trim();
            if (request.isEmpty()) {
                continue;
            }
            int at = request.indexOf('@');
            String name = at < 0 ? request : request.substring(0, at);
            if (sources.stream().noneMatch(source -> source.name().equals(name))) {
                throw new IllegalArgumentException("POSTONCE_RELAY_REBASELINE names no source of this relay: " + name);
            }
            requests.put(name, request);
        }
        return requests;
    }
}
