package dev.postonce.ingest.storage;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * For which tenant the running thread works. Connections of the request pool tell it to the database with each
 * statement, and row-level security then shows and takes rows of that tenant only. Outside of a scope it shows none.
 */
public final class TenantScope implements AutoCloseable {

    private static final ThreadLocal<@Nullable String> CURRENT = new ThreadLocal<>();

    private final @Nullable String before;

    private TenantScope(@Nullable String before) {
        this.before = before;
    }

    /** Until it is closed, by the thread that entered. */
    public static TenantScope enter(String tenantId) {
        TenantScope scope = new TenantScope(CURRENT.get());
        CURRENT.set(tenantId);
        return scope;
    }

    public static <T> T within(String tenantId, Supplier<T> work) {
        try (TenantScope scope = enter(tenantId)) {
            return work.get();
        }
    }

    static @Nullable String current() {
        return CURRENT.get();
    }

    @Override
    public void close() {
        if (before == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(before);
        }
    }
}
