package dev.postonce.index.entry;

import java.sql.SQLException;

/** What went wrong, without what was in hand: a driver's message may quote the values of a statement. */
final class Failures {

    private Failures() {}

    static String describe(Throwable thrown) {
        Throwable root = thrown;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String kind = thrown.getClass().getSimpleName();
        if (root instanceof SQLException sql) {
            return kind + ", SQLSTATE " + sql.getSQLState();
        }
        return root == thrown ? kind : kind + ", by " + root.getClass().getSimpleName();
    }
}
