package dev.postonce.ingest.storage;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Connections that tell the database for which tenant they work; see {@link TenantScope}. */
public final class TenantDataSource extends DelegatingDataSource {

    public TenantDataSource(DataSource pool) {
        super(pool);
    }

    @Override
    public Connection getConnection() throws SQLException {
        return TenantConnection.around(super.getConnection());
    }
}
