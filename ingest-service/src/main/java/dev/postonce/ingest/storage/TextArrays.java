package dev.postonce.ingest.storage;

import java.util.Collection;

/** PostgreSQL's text form of an array, for arrays that stand inside of an array. */
public final class TextArrays {

    private TextArrays() {}

    public static String literal(Collection<String> values) {
        StringBuilder literal = new StringBuilder("{");
        for (String value : values) {
            if (literal.length() > 1) {
                literal.append(',');
            }
            literal.append('"');
            for (int i = 0; i < value.length(); i++) {
                char character = value.charAt(i);
                if (character == '"' || character == '\\') {
                    literal.append('\\');
                }
                literal.append(character);
            }
            literal.append('"');
        }
        return literal.append('}').toString();
    }
}
