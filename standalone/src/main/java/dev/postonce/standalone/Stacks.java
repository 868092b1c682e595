package dev.postonce.standalone;

/** How a command gets its stack. */
public final class Stacks {

    private Stacks() {}

    /** The running stack of this home; if none runs, starts one on the environment's ports and waits until it is healthy. */
    public static Stack startOrAttach(StandaloneHome home, Stack.Progress progress) {
        throw new UnsupportedOperationException("comes with the supervisor");
    }

    /** @throws IllegalStateException if none runs on this home */
    public static Stack attach(StandaloneHome home) {
        throw new UnsupportedOperationException("comes with the supervisor");
    }

    public static boolean isRunning(StandaloneHome home) {
        throw new UnsupportedOperationException("comes with the supervisor");
    }
}
