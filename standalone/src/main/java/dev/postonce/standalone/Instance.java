package dev.postonce.standalone;

import java.util.Optional;

/**
 * One process of a part. The first bears the part's label; others, which {@code up --second} runs beside it, a number too.
 *
 * @param number from 1
 */
public record Instance(Part part, int number) {

    private static final int PORTS_APART = 100;

    public static Instance first(Part part) {
        return new Instance(part, 1);
    }

    public static Instance second(Part part) {
        return new Instance(part, 2);
    }

    /** Names its log, its pid file and its line in {@code status}. */
    public String name() {
        return number == 1 ? part.label() : part.label() + "-" + number;
    }

    public static Optional<Instance> named(String name) {
        Optional<Instance> first = Part.labelled(name).map(Instance::first);
        return first.isPresent() || !name.endsWith("-2")
                ? first
                : Part.labelled(name.substring(0, name.length() - 2)).map(Instance::second);
    }

    public int port(StackPorts ports) {
        return ports.of(part) + (number - 1) * PORTS_APART;
    }
}
