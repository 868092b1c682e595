package dev.postonce.standalone.up;

import dev.postonce.standalone.Instance;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.Stack;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import java.time.Duration;
import java.util.Collection;

/** Gives a stack to other commands. */
public final class StackAccess {

    private static final Duration UNTIL_HEALTHY = Duration.ofSeconds(240);

    private StackAccess() {}

    public static Stack attach(StandaloneHome home) {
        return new RunningStack(home);
    }

    /** Starts it in this process; healthy when it returns. */
    public static Stack start(StandaloneHome home, StackPorts ports, Stack.Progress progress) {
        return start(home, ports, Part.services().stream().map(Instance::first).toList(), progress);
    }

    /** @param services those that run beside PostgreSQL and Kafka; the others may be run by hand */
    static Stack start(StandaloneHome home, StackPorts ports, Collection<Instance> services, Stack.Progress progress) {
        OwnedStack stack = OwnedStack.start(home, ports, services, StartMode.USE, System.getenv(), progress);
        try {
            stack.awaitHealthy(UNTIL_HEALTHY);
            return stack;
        } catch (IllegalStateException e) {
            stack.close();
            throw new StartFailedException(e.getMessage());
        }
    }
}
