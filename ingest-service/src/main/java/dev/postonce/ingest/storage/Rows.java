package dev.postonce.ingest.storage;

import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads columns as the types that the code uses. */
public final class Rows {

    private Rows() {}

    public static @Nullable Instant time(ResultSet row, String column) throws SQLException {
        @Nullable OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }

    public static Instant requiredTime(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    public static List<String> texts(ResultSet row, String column) throws SQLException {
        @Nullable Array array = row.getArray(column);
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    public static @Nullable Long number(ResultSet row, String column) throws SQLException {
        return row.getObject(column, Long.class);
    }
}
