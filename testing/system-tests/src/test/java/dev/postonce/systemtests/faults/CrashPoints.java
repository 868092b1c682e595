package dev.postonce.systemtests.faults;

import dev.postonce.standalone.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The catalogue of docs/reliability/crash-points.md, which a test holds equal to the code. */
final class CrashPoints {

    private static final Pattern ROW = Pattern.compile("^\\| `([a-z-]+\\.[a-z0-9-]+)` \\|", Pattern.MULTILINE);

    private CrashPoints() {}

    static List<String> all() {
        Path here = Path.of("").toAbsolutePath();
        while (!Files.exists(here.resolve("docs/reliability/crash-points.md"))) {
            here = here.getParent();
        }
        List<String> points = new ArrayList<>();
        try {
            Matcher row = ROW.matcher(Files.readString(here.resolve("docs/reliability/crash-points.md")));
            while (row.find()) {
                points.add(row.group(1));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return points;
    }

    static Part serviceOf(String point) {
        return switch (point.substring(0, point.indexOf('.'))) {
            case "ingest" -> Part.INGEST;
            case "relay" -> Part.RELAY;
            case "index" -> Part.INDEX;
            case "dispatch" -> Part.DISPATCHER;
            default -> throw new IllegalArgumentException("no service has the point " + point);
        };
    }
}
