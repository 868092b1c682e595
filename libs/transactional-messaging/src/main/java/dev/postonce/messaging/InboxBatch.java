package dev.postonce.messaging;

import dev.postonce.messaging.GateDecision.Watermark;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * What a batch of events means for a consumer's memory. Plain rules: {@link JdbcInbox} reads what they need and
 * writes what they say.
 *
 * @param decisions one for each event, in the same order
 * @param recorded event ids to be remembered, each once; a CONFLICT is none of them
 * @param moved watermarks to be raised, each to the highest version that is applied
 */
record InboxBatch(List<GateDecision> decisions, List<Recorded> recorded, Map<String, Watermark> moved) {

    /** @param applied false for one that was skipped because a newer one had been applied */
    record Recorded(InboxEvent event, boolean applied) {
        String state() {
            return applied ? "applied" : "superseded";
        }
    }

    /**
     * Of several new events of one key, all are {@code APPLY}, in rising order; the last one wins.
     *
     * @param seen ids that are recorded as applied or superseded
     * @param watermarks by key, of the keys in the batch
     */
    static InboxBatch decide(List<InboxEvent> events, Set<UUID> seen, Map<String, Watermark> watermarks) {
        Set<UUID> known = new HashSet<>(seen);
        Map<String, Watermark> standing = new HashMap<>(watermarks);
        List<GateDecision> decisions = new ArrayList<>(events.size());
        List<Recorded> recorded = new ArrayList<>();
        Map<String, Watermark> moved = new LinkedHashMap<>();
        for (InboxEvent event : events) {
            UUID id = event.envelope().id();
            GateDecision decision = GateDecision.decide(
                    known.contains(id),
                    standing.get(event.key()),
                    event.envelope().aggregateVersion(),
                    event.contentDigest());
            decisions.add(decision);
            if (decision == GateDecision.APPLY) {
                Watermark next = new Watermark(event.envelope().aggregateVersion(), event.contentDigest());
                standing.put(event.key(), next);
                moved.put(event.key(), next);
            }
            if (decision != GateDecision.CONFLICT && known.add(id)) {
                recorded.add(new Recorded(event, decision == GateDecision.APPLY));
            }
        }
        return new InboxBatch(decisions, recorded, moved);
    }
}
