package dev.postonce.dispatch.ledger;

import dev.postonce.contract.TargetState;
import java.time.Duration;
import java.util.Map;

/**
 * The ledger at one moment.
 *
 * @param inDoubt attempts without a settled outcome
 * @param inDoubtOldest since the first of them began
 * @param parkedRecords records of the topic that wait for a person
 */
public record LedgerSample(Map<TargetState, Long> targets, long inDoubt, Duration inDoubtOldest, long parkedRecords) {

    public static final LedgerSample EMPTY = new LedgerSample(Map.of(), 0, Duration.ZERO, 0);
}
