package dev.postonce.ingest.storage;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Sets {@code postonce.tenant} for the transaction, never for the session, so that nothing of it is left when the
 * connection goes back to its pool. A statement with a commit of its own takes the setting along, in the same round
 * trip ({@link TenantStatement}); a longer transaction is told once, which is one round trip.
 */
final class TenantConnection implements InvocationHandler {

    static final String TELL = "select set_config('postonce.tenant', ?, true)";

    private final Connection connection;
    /** What the open transaction knows already. */
    private @Nullable String told;

    private TenantConnection(Connection connection) {
        this.connection = connection;
    }

    static Connection around(Connection connection) {
        return (Connection) Proxy.newProxyInstance(
                TenantConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                new TenantConnection(connection));
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        switch (method.getName()) {
            // Each ends the transaction, or may take back a setting that was made since a savepoint.
            case "commit", "rollback", "setAutoCommit", "close" -> told = null;
            case "prepareStatement" -> {
                @Nullable String tenant = TenantScope.current();
                if (tenant != null && arguments != null && arguments[0] instanceof String sql) {
                    return prepare(tenant, sql, method, arguments);
                }
            }
            default -> {}
        }
        return call(connection, method, arguments);
    }

    private @Nullable Object prepare(String tenant, String sql, Method method, @Nullable Object[] arguments)
            throws Throwable {
        if (!connection.getAutoCommit()) {
            tell(tenant);
            return call(connection, method, arguments);
        }
        @Nullable Object[] all = arguments.clone();
        all[0] = TenantStatement.textOf(sql);
        PreparedStatement statement =
                (PreparedStatement) Objects.requireNonNull(call(connection, method, all), "the driver gave none");
        return TenantStatement.around(statement, tenant);
    }

    private void tell(String tenant) throws SQLException {
        if (tenant.equals(told)) {
            return;
        }
        try (PreparedStatement statement = connection.prepareStatement(TELL)) {
            statement.setString(1, tenant);
            statement.execute();
        }
        told = tenant;
    }

    static @Nullable Object call(Object target, Method method, @Nullable Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
