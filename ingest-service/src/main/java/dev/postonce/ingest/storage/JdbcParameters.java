package dev.postonce.ingest.storage;

import java.sql.Types;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Collection;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.support.SqlArrayValue;

/** Named parameters with their types, so that a null costs no question to the database. */
public final class JdbcParameters extends MapSqlParameterSource {

    public JdbcParameters text(String name, @Nullable String value) {
        addValue(name, value, Types.VARCHAR);
        return this;
    }

    public JdbcParameters number(String name, @Nullable Long value) {
        addValue(name, value, Types.BIGINT);
        return this;
    }

    public JdbcParameters flag(String name, boolean value) {
        addValue(name, value, Types.BOOLEAN);
        return this;
    }

    public JdbcParameters uuid(String name, UUID value) {
        addValue(name, value);
        return this;
    }

    public JdbcParameters texts(String name, Collection<String> values) {
        addValue(name, new SqlArrayValue("text", values.toArray()));
        return this;
    }

    /** One column of several rows; a null stays one. */
    public JdbcParameters column(String name, @Nullable String[] values) {
        addValue(name, new SqlArrayValue("text", (Object[]) values));
        return this;
    }

    public JdbcParameters time(String name, @Nullable Instant value) {
        if (value == null) {
            // By name: the driver leaves the type of a null time open, and then has the statement described first.
            addValue(name, null, Types.TIMESTAMP_WITH_TIMEZONE, "timestamptz");
        } else {
            addValue(name, value.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
        }
        return this;
    }
}
