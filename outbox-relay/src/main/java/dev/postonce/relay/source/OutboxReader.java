package dev.postonce.relay.source;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads committed rows of an outbox in an order that keeps each key's versions rising. */
public interface OutboxReader {

    /** Begins to read behind the source's position, in threads of its own. The slot was checked just before. */
    Reading open(OutboxSource source, Handler handler);

    /** What the reader tells its caller, always from one thread at a time. */
    interface Handler {

        /** Returns when every row is acknowledged or parked; throws to end the reading without moving the position. */
        void publish(List<OutboxRow> rows) throws InterruptedException;

        /**
         * Everything committed up to this place was published. Stored before the database may forget it; throws when
         * this process is no longer the one that may say so.
         */
        void advanced(long lsn, String detail);
    }

    /** One run of the reader. It never restarts by itself: a new one is opened after new checks. */
    interface Reading extends AutoCloseable {

        boolean streaming();

        /**
         * @return true when the reading has ended
         */
        boolean awaitEnd(Duration atMost) throws InterruptedException;

        /** Why it ended, where that was not by {@link #close}. */
        @Nullable
        Throwable failure();

        @Override
        void close();
    }
}
