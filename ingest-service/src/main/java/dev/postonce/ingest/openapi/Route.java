package dev.postonce.ingest.openapi;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A route that runs.
 *
 * @param method in lower case
 * @param path as documents write it: {@code /v1/tasks/{external_id}}
 */
record Route(String method, String path) implements Comparable<Route> {

    private static final Pattern VARIABLE = Pattern.compile("\\{\\*?([A-Za-z_]+)}");
    private static final Pattern HUMP = Pattern.compile("([a-z])([A-Z])");

    /** @param pattern as it is mapped: {@code /v1/tasks/{externalId}}, {@code /v1/groups/{*id}} */
    static Route mapped(String method, String pattern) {
        String path = VARIABLE.matcher(pattern)
                .replaceAll(variable -> "{"
                        + HUMP.matcher(variable.group(1)).replaceAll("$1_$2").toLowerCase(Locale.ROOT) + "}");
        return new Route(method.toLowerCase(Locale.ROOT), path);
    }

    /** What the operations' file calls it. */
    String name() {
        return method.toUpperCase(Locale.ROOT) + " " + path;
    }

    static List<String> variablesOf(String path) {
        List<String> names = new ArrayList<>();
        Matcher variable = VARIABLE.matcher(path);
        while (variable.find()) {
            names.add(variable.group(1));
        }
        return names;
    }

    @Override
    public int compareTo(Route other) {
        int byPath = path.compareTo(other.path);
        return byPath != 0 ? byPath : method.compareTo(other.method);
    }
}
