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
public final class Parameters extends MapSqlParameterSource {

    public Parameters text(String name, @Nullable String value) {
        addValue(name, value, Types.VARCHAR);
        return this;
    }

    public Parameters number(String name, @Nullable Long value) {
        addValue(name, value, Types.BIGINT);
        return this;
    }

    public Parameters flag(String name, boolean value) {
        addValue(name, value, Types.BOOLEAN);
        return this;
    }

    public Parameters uuid(String name, UUID value) {
        addValue(name, value);
        return this;
    }

    public Parameters texts(String name, Collection<String> values) {
        addValue(name, new SqlArrayValue("text", values.toArray()));
        return this;
    }

    public Parameters time(String name, @Nullable Instant value) {
        addValue(name, value == null ? null : value.atOffset(ZoneOffset.UTC), Types.TIMESTAMP_WITH_TIMEZONE);
        return this;
    }
}
