package dev.postonce.standalone.demo;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** How long each part of the demo took. */
final class Phases {

    private final Map<String, Duration> took = new LinkedHashMap<>();
    private String name = "";
    private long beganNanos;

    /** Ends the phase before. */
    void begin(String next) {
        end();
        name = next;
        beganNanos = System.nanoTime();
    }

    void end() {
        if (!name.isEmpty()) {
            took.merge(name, Duration.ofNanos(System.nanoTime() - beganNanos), Duration::plus);
            name = "";
        }
    }

    Map<String, Duration> took() {
        return took;
    }
}
