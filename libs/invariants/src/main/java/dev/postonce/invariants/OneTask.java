package dev.postonce.invariants;

import dev.postonce.invariants.facts.AggregateKey;
import dev.postonce.invariants.facts.Facts;
import dev.postonce.invariants.facts.GroupFact;
import dev.postonce.invariants.facts.TaskFact;
import java.util.HashSet;
import java.util.Set;

/** I2: one task per external id, one article per site and slug, one entry per normalised group. */
final class OneTask implements Invariant {

    private record Article(String tenantId, String site, String slug) {}

    @Override
    public InvariantId id() {
        return InvariantId.I2;
    }

    @Override
    public CheckResult check(Facts facts) {
        Findings findings = new Findings(id());
        Set<AggregateKey> seen = new HashSet<>();
        Set<Article> articles = new HashSet<>();
        for (TaskFact task : facts.tasks()) {
            findings.checked();
            if (!seen.add(task.key())) {
                findings.add(ViolationKind.DOUBLED, task.key(), "a second task row, " + task.taskId());
            }
            // Articles without a site share one nameless site.
            String site = task.site() == null ? "" : task.site();
            String slug = task.slug();
            if (slug != null && !articles.add(new Article(task.tenantId(), site, slug))) {
                findings.add(
                        ViolationKind.DOUBLED, task.key(), "a second article under slug " + slug + " of site " + site);
            }
        }
        for (GroupFact group : facts.groups()) {
            findings.checked();
            if (!seen.add(group.key())) {
                findings.add(ViolationKind.DOUBLED, group.key(), "a second entry of one group, " + group.id());
            }
        }
        return findings.result();
    }
}
