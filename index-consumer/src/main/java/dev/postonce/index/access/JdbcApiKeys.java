package dev.postonce.index.access;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The keys as the topic tells them. */
public final class JdbcApiKeys {

    private static final String SELECT =
            """
            select tenant_id, client_id, secret_digest, scopes
            from "index".api_key
            where key_id = ? and not deleted
            order by tenant_id
            limit 8
            """;

    record StoredKey(String secretDigest, Caller caller) {}

    private final JdbcClient jdbc;

    public JdbcApiKeys(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** More than one only if two tenants have a key of one id; the secret tells which. */
    List<StoredKey> active(String keyId) {
        return jdbc.sql(SELECT).param(keyId).query(JdbcApiKeys::map).list();
    }

    private static StoredKey map(ResultSet row, int number) throws SQLException {
        String[] scopes = (String[]) row.getArray(4).getArray();
        return new StoredKey(row.getString(3), new Caller(row.getString(1), row.getString(2), Set.of(scopes)));
    }
}
