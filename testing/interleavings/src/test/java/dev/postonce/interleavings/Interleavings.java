package dev.postonce.interleavings;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How much is looked at: small scenarios, since most races need two threads and a few steps. */
public final class Interleavings {

    private Interleavings() {}

    /** @throws AssertionError with the scenario and the interleaving, step by step */
    public static void explore(Class<?> operations) {
        new ModelCheckingOptions()
                .iterations(Integer.getInteger("postonce.interleavings.scenarios", 5))
                .invocationsPerIteration(250)
                .threads(2)
                .actorsPerThread(3)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(operations);
    }
}
