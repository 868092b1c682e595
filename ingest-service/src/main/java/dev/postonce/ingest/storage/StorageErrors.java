package dev.postonce.ingest.storage;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.transaction.TransactionException;

/** Tells what waiting mends from what it does not, in one place, by code and not by message. */
public final class StorageErrors {

    private static final String LOCK_NOT_AVAILABLE = "55P03";
    private static final String DEADLOCK = "40P01";
    private static final String READ_ONLY = "25006";
    private static final String IDEMPOTENCY_KEY_CONSTRAINT = "idempotency_record_pkey";
    private static final String SLUG_CONSTRAINT = "task_slug";

    private StorageErrors() {}

    /** Whether the database was away, full, busy or too slow. */
    public static boolean isPassing(Throwable error) {
        if (error instanceof TransientDataAccessException
                || error instanceof RecoverableDataAccessException
                || error instanceof DataAccessResourceFailureException
                || error instanceof TransactionException) {
            return true;
        }
        String state = stateOf(error);
        // Connection, resources, operator intervention, system error; a standby that takes no writes.
        return (error instanceof UncategorizedSQLException || error instanceof DataAccessException)
                && (state.startsWith("08")
                        || state.startsWith("53")
                        || state.startsWith("57")
                        || state.startsWith("58")
                        || state.equals(LOCK_NOT_AVAILABLE)
                        || state.equals(DEADLOCK)
                        || state.equals(READ_ONLY));
    }

    /**
     * Whether the statement waited in vain for another transaction that had inserted the same key, or was changing the
     * same row.
     */
    public static boolean isClaimWait(Throwable error) {
        @Nullable ServerErrorMessage message = serverMessageOf(error);
        return message != null
                && LOCK_NOT_AVAILABLE.equals(message.getSQLState())
                && message.getWhere() != null
                && message.getWhere().contains("tuple");
    }

    /** Whether it waited in vain for what another transaction holds; for other rows it may go on. */
    public static boolean isLockWait(Throwable error) {
        String state = stateOf(error);
        return state.equals(LOCK_NOT_AVAILABLE) || state.equals(DEADLOCK);
    }

    public static boolean isDeadlock(Throwable error) {
        return stateOf(error).equals(DEADLOCK);
    }

    /** Whether the Idempotency-Key of the statement stands for another resource. */
    public static boolean isKeyTaken(Throwable error) {
        @Nullable ServerErrorMessage message = serverMessageOf(error);
        return message != null && IDEMPOTENCY_KEY_CONSTRAINT.equals(message.getConstraint());
    }

    /** Whether another article of the site has the slug. */
    public static boolean isSlugTaken(Throwable error) {
        @Nullable ServerErrorMessage message = serverMessageOf(error);
        return message != null && SLUG_CONSTRAINT.equals(message.getConstraint());
    }

    private static String stateOf(Throwable error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql && sql.getSQLState() != null) {
                return sql.getSQLState();
            }
        }
        return "";
    }

    private static @Nullable ServerErrorMessage serverMessageOf(Throwable error) {
        for (@Nullable Throwable cause = error; cause != null; cause = cause.getCause()) {
            if (cause instanceof PSQLException postgres) {
                return postgres.getServerErrorMessage();
            }
        }
        return null;
    }
}
