package dev.postonce.benchmarks;

import dev.postonce.benchmarks.Capture.Statement;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The captured statements as a script of pgbench. Two submissions were captured; a parameter that differs between
 * them is made anew for each transaction where it names something, and stays as it was where it is content.
 *
 * @param text for {@code pgbench -f}
 * @param variables for {@code pgbench -D}
 */
record PgbenchScript(String text, Map<String, String> variables) {

    private static final Pattern NUMBERED = Pattern.compile("\\$(\\d+)");
    private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
    private static final Pattern SHA_256 = Pattern.compile("[0-9a-f]{64}");
    private static final int CONTENT_CHARACTERS_MIN = 200;

    private static final String HEAD =
            """
            \\set n :n + 1
            \\set id :base + :client_id * 10000000 + :n
            """;

    static PgbenchScript of(
            Connection connection, List<Statement> first, String firstId, List<Statement> second, String secondId)
            throws SQLException {
        StringBuilder text = new StringBuilder(HEAD);
        // The service sends a transaction's statements in one round trip; so does pgbench then.
        boolean together = first.size() > 1;
        text.append(together ? "\\startpipeline\n" : "");
        Map<String, String> variables = new LinkedHashMap<>();
        for (int i = 0; i < first.size(); i++) {
            Statement one = first.get(i);
            Statement other = second.get(i);
            if (!one.sql().equals(other.sql())) {
                throw new IllegalStateException("two submissions became different statements");
            }
            List<String> types = one.parameters().isEmpty() ? List.of() : typesOf(connection, one.sql());
            Map<Integer, String> replacements = new LinkedHashMap<>();
            for (Map.Entry<Integer, @Nullable String> parameter :
                    one.parameters().entrySet()) {
                int number = parameter.getKey();
                @Nullable String value = parameter.getValue();
                boolean varies = !Objects.equals(value, other.parameters().get(number));
                String name = "s" + i + "p" + number;
                String replacement = replacement(name, types.get(number - 1), value, varies, firstId);
                replacements.put(number, replacement);
                if (replacement.equals(":" + name) && value != null) {
                    variables.put(name, value);
                }
            }
            text.append(replace(one.sql(), replacements).strip()).append(";\n");
        }
        text.append(together ? "\\endpipeline\n" : "");
        return new PgbenchScript(text.toString(), Map.copyOf(variables));
    }

    private static String replacement(String name, String type, @Nullable String value, boolean varies, String id) {
        if (value == null) {
            return "cast(null as " + type + ")";
        }
        if (varies && UUID.matcher(value).matches()) {
            String made = "lpad(to_hex(cast(:id as bigint)), 32, '0')";
            return type.equals("uuid") ? "cast(" + made + " as uuid)" : made;
        }
        if (varies && SHA_256.matcher(value).matches()) {
            return "(md5(cast(:id as text)) || md5(cast(:id as text)))";
        }
        if (varies && value.contains(id) && value.length() < CONTENT_CHARACTERS_MIN) {
            return "('" + value.replace("'", "''").replace(id, "' || cast(:id as text) || '") + "')";
        }
        return ":" + name;
    }

    private static String replace(String sql, Map<Integer, String> replacements) {
        Matcher number = NUMBERED.matcher(sql);
        StringBuilder replaced = new StringBuilder();
        while (number.find()) {
            String replacement = Objects.requireNonNull(
                    replacements.get(Integer.parseInt(number.group(1))), "a parameter is missing");
            number.appendReplacement(replaced, Matcher.quoteReplacement(replacement));
        }
        return number.appendTail(replaced).toString();
    }

    /** The types that PostgreSQL gives the parameters by itself, as it will for pgbench. */
    private static List<String> typesOf(Connection connection, String sql) throws SQLException {
        List<String> types = new ArrayList<>();
        try (var statement = connection.createStatement()) {
            statement.execute("prepare captured as " + sql);
            try (ResultSet rows = statement.executeQuery(
                    "select unnest(parameter_types)::text from pg_prepared_statements where name = 'captured'")) {
                while (rows.next()) {
                    types.add(rows.getString(1));
                }
            }
            statement.execute("deallocate captured");
        }
        return types;
    }
}
