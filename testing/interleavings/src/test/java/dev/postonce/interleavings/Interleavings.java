package dev.postonce.interleavings;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/** How much is looked at: small scenarios, since most races need two threads and a few steps. */
public final class Interleavings {

    /** Planted races are found within the first few; a long run looks at more. */
    private static final int INTERLEAVINGS = Integer.getInteger("postonce.interleavings.each", 80);

    private Interleavings() {}

    /** @throws AssertionError with the scenario and the interleaving, step by step */
    public static void explore(Class<?> operations) {
        explore(operations, INTERLEAVINGS);
    }

    /** @param interleavings of each scenario: fewer where one operation has thousands of steps */
    public static void explore(Class<?> operations, int interleavings) {
        options(interleavings).threads(2).actorsPerThread(3).actorsBefore(1).check(operations);
    }

    /** For what happens only from three threads on: one call of each. */
    public static void exploreCrowd(Class<?> operations) {
        options(INTERLEAVINGS).threads(3).actorsPerThread(1).actorsBefore(0).check(operations);
    }

    private static ModelCheckingOptions options(int interleavings) {
        return new ModelCheckingOptions()
                .iterations(Integer.getInteger("postonce.interleavings.scenarios", 5))
                .invocationsPerIteration(interleavings)
                .actorsAfter(1);
    }
}
