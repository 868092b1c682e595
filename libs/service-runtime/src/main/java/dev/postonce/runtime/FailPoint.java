package dev.postonce.runtime;

import java.util.Map;

/**
 * Named places between two steps where a test can end, stop or slow a process.
 *
 * <p>A no-op unless the system property {@value #PROPERTY} is set when the class is loaded. Its value is a list of
 * {@code name=action} pairs divided by semicolons; see {@link FailPointActions} for the actions. Hits are counted
 * for every point while the property is set, even where no action is given.
 */
public final class FailPoint {

    public static final String PROPERTY = "postonce.failpoints";

    private static final FailPointActions ACTIONS = FailPointActions.parse(System.getProperty(PROPERTY));

    private FailPoint() {}

    /**
     * Marks that the code has come between two steps.
     *
     * @param name {@code service.after-this-before-that}; listed in docs/reliability/crash-points.md
     */
    public static void hit(String name) {
        if (ACTIONS.enabled()) {
            ACTIONS.hit(name);
        }
    }

    /** Hits so far by name; empty when fail points are off. */
    public static Map<String, Long> counts() {
        return ACTIONS.counts();
    }
}
