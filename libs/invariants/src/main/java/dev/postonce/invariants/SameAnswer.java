package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateFacts;
import dev.postonce.invariants.facts.AnswerFact;
import dev.postonce.invariants.facts.AuditFact;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.TaskFact;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** I3: whatever stands for a resource names the same one, and it was created once. */
final class SameAnswer implements Invariant {

    @Override
    public InvariantId id() {
        return InvariantId.I3;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        if (!facts.coverage().trails()) {
            return findings.result();
        }
        for (AggregateFacts aggregate : facts.aggregates()) {
            UUID id = id(aggregate);
            if (aggregate.answers().isEmpty() && aggregate.audit() == null) {
                continue;
            }
            findings.checked();
            for (AnswerFact answer : aggregate.answers()) {
                if (!answer.resourceId().equals(id)) {
                    findings.add(
                            ViolationKind.UNTRUE,
                            aggregate.key(),
                            "a record of a request names resource " + answer.resourceId() + ", the row is " + id);
                }
            }
            AuditFact audit = aggregate.audit();
            if (audit != null && audit.created() > 1) {
                findings.add(
                        ViolationKind.DOUBLED,
                        aggregate.key(),
                        "was answered as created " + audit.created() + " times");
            }
        }
        return findings.result();
    }

    private static @Nullable UUID id(AggregateFacts aggregate) {
        TaskFact task = aggregate.task();
        GroupFact group = aggregate.group();
        return task != null ? task.taskId() : group != null ? group.id() : null;
    }
}
