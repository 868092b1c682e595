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
        check(operations, interleavings, 2, 3);
    }

    /** For what happens only from three threads on; each does less, so that a scenario stays small. */
    public static void exploreCrowd(Class<?> operations) {
        check(operations, INTERLEAVINGS, 3, 2);
    }

    private static void check(Class<?> operations, int interleavings, int threads, int actorsPerThread) {
        new ModelCheckingOptions()
                .iterations(Integer.getInteger("postonce.interleavings.scenarios", 5))
                .invocationsPerIteration(interleavings)
                .threads(threads)
                .actorsPerThread(actorsPerThread)
                .actorsBefore(1)
                .actorsAfter(1)
                .check(operations);
    }
}
