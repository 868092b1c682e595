package dev.postonce.runtime;

import java.nio.file.Path;
import java.util.Map;

/**
 * Named places between two steps where a test can end, stop or slow a process.
 *
 * <p>A no-op unless the system property {@value #PROPERTY}, or {@value #CONTROL}, is set when the class is loaded. The
 * value of the second names a file that holds what the first would, and may be replaced at any time. The value of the first is a list of
 * {@code name=action} pairs divided by semicolons; see {@link FailPointActions} for the actions. Hits are counted
 * for every point while the property is set, even where no action is given.
 */
public final class FailPoint {

    public static final String PROPERTY = "postonce.failpoints";

    public static final String CONTROL = PROPERTY + ".control";

    private static final FailPointActions ACTIONS = actions();

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

    private static FailPointActions actions() {
        String control = System.getProperty(CONTROL);
        return control == null
                ? FailPointActions.parse(System.getProperty(PROPERTY))
                : FailPointActions.controlledBy(Path.of(control));
    }

    /** Hits so far by name; empty when fail points are off. */
    public static Map<String, Long> counts() {
        return ACTIONS.counts();
    }
}
