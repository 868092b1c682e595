package dev.postonce.testinfra.simulation;

import java.util.LinkedHashSet;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs a scenario under many seeds. The same seeds in every build, so that a build never fails by chance;
 * {@code -Dpostonce.simulation.seeds=N} runs more, {@code …first=S} others, {@code …seed=S} one alone with its story.
 */
public final class Seeds {

    public static final int A_BUILD = 2_000;

    private static final String PREFIX = "postonce.simulation.";
    private static final int LINES_SHOWN = 60;

    private Seeds() {}

    /** @throws AssertionError with the seed, the story's end and how to repeat it */
    public static void each(Consumer<Simulation> scenario) {
        Long one = Long.getLong(PREFIX + "seed");
        if (one != null) {
            run(scenario, one, true);
            return;
        }
        long first = Long.getLong(PREFIX + "first", 1);
        long count = Long.getLong(PREFIX + "seeds", A_BUILD);
        long digest = 0;
        long beganNs = System.nanoTime();
        for (long seed = first; seed < first + count; seed++) {
            digest = digest * 31 + run(scenario, seed, false);
        }
        long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs);
        System.out.printf("seeds %d to %d hold, %d ms, digest %016x%n", first, first + count - 1, tookMs, digest);
    }

    /** One run; gives the digest of what happened. */
    public static long run(Consumer<Simulation> scenario, long seed) {
        return run(scenario, seed, false);
    }

    /** The first of the seeds 1..most under which the scenario breaks a rule; how a planted bug is found. */
    public static OptionalLong firstThatFails(Consumer<Simulation> scenario, int most) {
        for (long seed = 1; seed <= most; seed++) {
            try {
                scenario.accept(new Simulation(seed));
            } catch (AssertionError e) {
                return OptionalLong.of(seed);
            }
        }
        return OptionalLong.empty();
    }

    /**
     * What a run that breaks a rule tells of it, story and all, each time that it is repeated: one text, or the seed is
     * worth nothing.
     */
    public static Set<String> failuresOf(Consumer<Simulation> scenario, long seed, int times) {
        Set<String> told = new LinkedHashSet<>();
        for (int time = 0; time < times; time++) {
            try {
                run(scenario, seed);
                told.add("no rule was broken");
            } catch (AssertionError e) {
                told.add(String.valueOf(e.getMessage()));
            }
        }
        return told;
    }

    private static long run(Consumer<Simulation> scenario, long seed, boolean tell) {
        Simulation simulation = new Simulation(seed);
        try {
            scenario.accept(simulation);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "seed " + seed + ": " + e.getMessage() + "\nrepeat with -D" + PREFIX + "seed=" + seed + "\n"
                            + tail(simulation),
                    e);
        }
        if (tell) {
            System.out.println("seed " + seed + " holds\n" + String.join("\n", simulation.story()));
        }
        return simulation.digest();
    }

    private static String tail(Simulation simulation) {
        var story = simulation.story();
        return String.join("\n", story.subList(Math.max(0, story.size() - LINES_SHOWN), story.size()));
    }
}
