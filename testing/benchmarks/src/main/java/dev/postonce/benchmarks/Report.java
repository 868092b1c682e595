package dev.postonce.benchmarks;

import dev.postonce.contract.EventJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The figures with their goals: as text at once, as JSON at the end. */
final class Report {

    private final ObjectNode json = EventJson.mapper().createObjectNode();
    private final ArrayNode figures = json.putArray("figures");

    /** A quotient of two medians. */
    void figure(String name, Series measured, Series besides, double goal) {
        double quotient = measured.median() / besides.median();
        System.out.printf(
                Locale.ROOT,
                "%-44s %s/s ÷ %s/s = %.2f   goal ≥ %.2f: %s%n",
                name,
                measured.text(),
                besides.text(),
                quotient,
                goal,
                quotient >= goal ? "met" : "MISSED");
        ObjectNode figure = figures.addObject()
                .put("name", name)
                .put("quotient", quotient)
                .put("goal", goal)
                .put("met", quotient >= goal);
        measured.values().forEach(figure.putArray("measured_per_second")::add);
        besides.values().forEach(figure.putArray("besides_per_second")::add);
    }

    void note(String text) {
        System.out.println(text);
        json.withArray("notes").add(text);
    }

    void write(Path file) throws IOException {
        Files.writeString(file, json.toPrettyString() + "\n");
    }
}
