package dev.postonce.invariants.facts;

import java.util.List;

/** What the processes tell of themselves; empty where none was asked. */
public record ProcessFacts(List<GaugeFact> gauges, List<CounterFact> counters, List<ResourceFact> resources) {

    public ProcessFacts {
        gauges = List.copyOf(gauges);
        counters = List.copyOf(counters);
        resources = List.copyOf(resources);
    }
}
