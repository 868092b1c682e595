package dev.postonce.messaging;

/** Schema names come from code, and are checked all the same before they become SQL. */
final class Identifiers {

    private Identifiers() {}

    static String checked(String schema) {
        if (!schema.matches("[a-z][a-z0-9_]{0,62}")) {
            throw new IllegalArgumentException("not a schema name: " + schema);
        }
        // "index" is a word of SQL, so schema names are quoted.
        return "\"" + schema + "\"";
    }
}
