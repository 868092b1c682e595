package dev.postonce.standalone;

import dev.postonce.standalone.process.HomeLock;
import dev.postonce.standalone.up.StackAccess;

/** How a command gets its stack. */
public final class Stacks {

    private Stacks() {}

    /** The running stack of this home; if none runs, starts one on the environment's ports. Healthy when it returns. */
    public static Stack startOrAttach(StandaloneHome home, Stack.Progress progress) {
        return startOrAttach(home, StackPorts.fromEnvironment(System.getenv()), progress);
    }

    /** @param ports where to start it if none runs */
    public static Stack startOrAttach(StandaloneHome home, StackPorts ports, Stack.Progress progress) {
        return isRunning(home) ? StackAccess.attach(home) : StackAccess.start(home, ports, progress);
    }

    /** @throws IllegalStateException if none runs on this home */
    public static Stack attach(StandaloneHome home) {
        if (!isRunning(home)) {
            throw new IllegalStateException("no stack runs on " + home.root() + ": start it with postonce up. 未运行");
        }
        return StackAccess.attach(home);
    }

    public static boolean isRunning(StandaloneHome home) {
        return HomeLock.holder(home).isPresent();
    }
}
