package dev.postonce.ingest.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * A statement that is its own transaction and takes the tenant's setting along: begin, setting, statement, commit go
 * out together. Its parameters are one further, its result is the third.
 */
final class TenantStatement implements InvocationHandler {

    private final PreparedStatement all;

    private TenantStatement(PreparedStatement all) {
        this.all = all;
    }

    /**
     * What is sent for a statement. The commit is written out because the driver may put a Sync between two of them,
     * when it cannot tell how much a result may be; without a transaction that would end the setting.
     */
    static String textOf(String sql) {
        // A boolean: of a text the driver could not tell how long it is, and would ask the server before each.
        return "begin; " + TenantConnection.TELL + " is not null; " + sql + "; commit";
    }

    static PreparedStatement around(PreparedStatement all, String tenant) throws SQLException {
        all.setString(1, tenant);
        return (PreparedStatement) Proxy.newProxyInstance(
                TenantStatement.class.getClassLoader(),
                new Class<?>[] {PreparedStatement.class},
                new TenantStatement(all));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        int count = arguments == null ? 0 : arguments.length;
        if (arguments != null
                && count >= 2
                && arguments[0] instanceof Integer index
                && method.getName().startsWith("set")) {
            @Nullable Object[] shifted = arguments.clone();
            shifted[0] = index + 1;
            return TenantConnection.call(all, method, shifted);
        }
        return switch (method.getName()) {
            case "executeQuery" -> {
                if (!runsToRows(count)) {
                    throw new SQLException("the statement gave no rows");
                }
                yield all.getResultSet();
            }
            case "executeUpdate" -> {
                runsToRows(count);
                yield Math.max(all.getUpdateCount(), 0);
            }
            case "executeLargeUpdate" -> {
                runsToRows(count);
                yield Math.max(all.getLargeUpdateCount(), 0L);
            }
            case "execute" -> runsToRows(count);
            // Its results cannot be told from the others; and rows of one batch belong together anyway.
            case "addBatch", "executeBatch", "executeLargeBatch" ->
                throw new SQLFeatureNotSupportedException("a tenant's batch needs a transaction around it");
            // The caller's numbers would name the wrong parameters; Spring does without.
            case "getParameterMetaData", "clearParameters" ->
                throw new SQLFeatureNotSupportedException(method.getName() + " of a tenant's statement");
            default -> TenantConnection.call(all, method, arguments);
        };
    }

    /** Whether the third result is one of rows. */
    private boolean runsToRows(int arguments) throws SQLException {
        if (arguments > 0) {
            throw new SQLFeatureNotSupportedException("a prepared statement brings its own text");
        }
        try {
            all.execute();
        } catch (SQLException e) {
            rollBack(e);
            throw e;
        }
        all.getMoreResults();
        return all.getMoreResults();
    }

    /** The server skipped the commit, and waits in a transaction that has failed. */
    private void rollBack(SQLException cause) {
        try (Statement statement = all.getConnection().createStatement()) {
            statement.execute("rollback");
        } catch (SQLException e) {
            // The connection is broken; its pool has seen that, and the server ends what was on it.
            cause.addSuppressed(e);
        }
    }
}
