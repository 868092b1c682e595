package dev.postonce.relay.wal;

import dev.postonce.relay.outbox.OutboxRow;
import dev.postonce.relay.outbox.OutboxSource;
import dev.postonce.relay.source.OutboxReader.Handler;
import dev.postonce.relay.source.OutboxReader.Reading;
import dev.postonce.runtime.FailPoint;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One engine, from its start to its end. */
final class DebeziumReading implements Reading {

    private static final Logger LOG = LoggerFactory.getLogger(DebeziumReading.class);
    private static final Duration CLOSE_WITHIN = Duration.ofSeconds(20);
    private static final long CLOSE_RETRY_MS = 100;

    private final OutboxSource source;
    private final Handler handler;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
    private final Thread thread;
    private volatile boolean streaming;
    private volatile boolean closing;
    private volatile @Nullable Throwable failure;

    private DebeziumReading(String reading, OutboxSource source, Properties properties, Handler handler) {
        this.source = source;
        this.handler = handler;
        this.engine = DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
                .using(properties)
                .using(new DebeziumEngine.ConnectorCallback() {
                    @Override
                    public void pollingStarted() {
                        streaming = true;
                    }
                })
                .using(this::completed)
                .notifying(this::handle)
                .build();
        this.thread = new Thread(() -> run(reading), reading);
        this.thread.setDaemon(true);
    }

    static DebeziumReading start(String name, OutboxSource source, Properties properties, Handler handler) {
        DebeziumReading reading = new DebeziumReading(name, source, properties, handler);
        PositionStore.register(name, reading::advanced);
        reading.thread.start();
        return reading;
    }

    private void run(String reading) {
        try {
            engine.run();
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            PositionStore.unregister(reading);
            streaming = false;
            ended.countDown();
        }
    }

    private void handle(
            List<RecordChangeEvent<SourceRecord>> changes,
            DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
            throws InterruptedException {
        List<OutboxRow> rows = new ArrayList<>(changes.size());
        for (RecordChangeEvent<SourceRecord> change : changes) {
            OutboxRow row = ChangeRecords.rowOf(source, change.record());
            if (row != null) {
                rows.add(row);
            }
        }
        if (!rows.isEmpty()) {
            handler.publish(rows);
            FailPoint.hit("relay.after-acks-before-mark");
        }
        for (RecordChangeEvent<SourceRecord> change : changes) {
            committer.markProcessed(change);
        }
        FailPoint.hit("relay.after-mark-before-commit");
        committer.markBatchFinished();
        FailPoint.hit("relay.after-commit-before-next-claim");
    }

    private void advanced(long lsn, String detail) {
        handler.advanced(lsn, detail);
        FailPoint.hit("relay.after-ack-before-lsn-confirm");
    }

    private void completed(boolean success, @Nullable String message, @Nullable Throwable error) {
        streaming = false;
        if (!success && !closing) {
            failure = error != null ? error : new IllegalStateException(message);
        }
    }

    @Override
    public boolean streaming() {
        return streaming;
    }

    @Override
    public boolean awaitEnd(Duration atMost) throws InterruptedException {
        return ended.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public @Nullable Throwable failure() {
        return failure;
    }

    /** The caller has stopped the publishing before; a handler that still waits for Kafka would hold the engine up. */
    @Override
    public void close() {
        closing = true;
        streaming = false;
        try {
            for (long waitedMs = 0; waitedMs < CLOSE_WITHIN.toMillis(); waitedMs += CLOSE_RETRY_MS) {
                if (ended.getCount() == 0 || closeEngine()) {
                    break;
                }
                // An engine cannot be closed while its task starts, nor twice.
                ended.await(CLOSE_RETRY_MS, TimeUnit.MILLISECONDS);
            }
            if (!ended.await(CLOSE_WITHIN.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn("the reader of source {} did not end by itself and is interrupted", source.name());
                thread.interrupt();
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }

    private boolean closeEngine() {
        try {
            engine.close();
            return true;
        } catch (IllegalStateException | IOException e) {
            LOG.debug("the reader of source {} cannot be closed yet", source.name(), e);
            return false;
        }
    }
}
