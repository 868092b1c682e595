package dev.postonce.standalone.process;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How one part is run.
 *
 * @param stopSignal asks it to end in order
 * @param patience how long it may take to end before it is killed
 * @param beforeStart makes sure that no other process works on the same data; may end such a process
 */
public record Child(
        String name,
        List<String> command,
        Map<String, String> environment,
        Path workingDirectory,
        String stopSignal,
        Duration patience,
        Runnable beforeStart) {

    public Child {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
    }
}
