package dev.postonce.index.replica;

import dev.postonce.index.event.KafkaTopics;
import dev.postonce.index.meter.EventProgress;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.meter.IndexMeters.Alarm;
import dev.postonce.runtime.ClockWatch;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.WakeupException;
import org.apache.lucene.index.CorruptIndexException;
import org.apache.lucene.index.IndexFormatTooNewException;
import org.apache.lucene.index.IndexFormatTooOldException;
import org.apache.lucene.index.IndexNotFoundException;
import org.apache.lucene.store.LockObtainFailedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.kafka.core.ConsumerFactory;

/**
 * Keeps this instance's replica: opens it, fills it where it has to, and reads all partitions of both topics into it,
 * on one thread, without a group. Its place is in the Lucene commit and nowhere else.
 */
public final class KafkaReplicaReader implements SmartLifecycle, ClockWatch.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(KafkaReplicaReader.class);
    private static final Duration POLL_MAX = Duration.ofMillis(200);
    private static final long TRY_AGAIN_MS = 500;
    private static final long TRY_AGAIN_MS_MAX = 10_000;
    private static final long STOP_WAIT_MS = 20_000;
    private static final CloseOptions CLOSE_SOON = CloseOptions.timeout(Duration.ofSeconds(5));

    private final ReplicaSettings settings;
    private final Replica replica;
    private final KafkaTopics topics;
    private final ReplicaSeed seed;
    private final ConsumerFactory<byte[], byte[]> consumers;
    private final IndexMeters meters;
    private final EventProgress progress;

    private @Nullable Thread thread;
    private CountDownLatch stopping = new CountDownLatch(1);
    private volatile boolean fresh;
    private volatile boolean another;
    private volatile @Nullable Consumer<byte[], byte[]> reading;

    public KafkaReplicaReader(
            ReplicaSettings settings,
            Replica replica,
            KafkaTopics topics,
            ReplicaSeed seed,
            ConsumerFactory<byte[], byte[]> consumers,
            IndexMeters meters,
            EventProgress progress) {
        this.settings = settings;
        this.replica = replica;
        this.topics = topics;
        this.seed = seed;
        this.consumers = consumers;
        this.meters = meters;
        this.progress = progress;
    }

    @Override
    public synchronized void start() {
        stopping = new CountDownLatch(1);
        thread = new Thread(this::run, "replica-reader");
        thread.start();
    }

    @Override
    public void stop() {
        Thread current;
        synchronized (this) {
            current = thread;
            thread = null;
        }
        stopping.countDown();
        wakeUp();
        try {
            if (current != null) {
                current.join(STOP_WAIT_MS);
                if (current.isAlive()) {
                    LOG.warn(
                            "the replica did not stop in time; what it did not commit is read again at its next start");
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return thread != null;
    }

    /** The index stays open and answers; another consumer goes on where this one was. */
    @Override
    public void clockSetBack() {
        another = true;
        wakeUp();
    }

    private void wakeUp() {
        Consumer<byte[], byte[]> consumer = reading;
        if (consumer != null) {
            consumer.wakeup();
        }
    }

    private boolean goOn() {
        return stopping.getCount() > 0;
    }

    private void run() {
        long pauseMs = TRY_AGAIN_MS;
        while (goOn()) {
            long startNs = System.nanoTime();
            try {
                openAndRead();
            } catch (WakeupException e) {
                LOG.debug("woken up to stop");
            } catch (Exception e) {
                failed(e);
                boolean ranLong = System.nanoTime() - startNs > TimeUnit.MILLISECONDS.toNanos(TRY_AGAIN_MS_MAX);
                pauseMs = ranLong ? TRY_AGAIN_MS : Math.min(pauseMs * 2, TRY_AGAIN_MS_MAX);
                pause(e instanceof KafkaTopics.NotThereException ? TRY_AGAIN_MS : pauseMs);
            }
        }
        replica.at(Replica.Phase.WAITING, "stopped", 0);
    }

    private void pause(long ms) {
        try {
            if (stopping.await(ms, TimeUnit.MILLISECONDS)) {
                LOG.debug("stopping");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stopping.countDown();
        }
    }

    private void failed(Exception e) {
        if (e instanceof OffsetOutOfRangeException) {
            meters.alarm(Alarm.OFFSET_OUT_OF_RANGE);
            LOG.error("the replica's offsets are out of range; it is filled anew from the entries", e);
            fresh = true;
        } else if (isDamage(e)) {
            meters.alarm(Alarm.REPLICA_DAMAGED);
            LOG.error("the replica in {} is damaged; it is filled anew from the entries", settings.directory(), e);
            fresh = true;
        } else if (e instanceof LockObtainFailedException) {
            LOG.error(
                    "another instance has {}; give each its own POSTONCE_INDEX_DIR. Trying again",
                    settings.directory());
        } else if (e instanceof KafkaTopics.NotThereException) {
            LOG.debug("waiting for Kafka", e);
        } else {
            LOG.warn("the replica stopped reading; opening it again", e);
        }
        String why = e instanceof LockObtainFailedException ? "another instance has its directory" : e.getMessage();
        replica.at(Replica.Phase.WAITING, String.valueOf(why), 0);
    }

    private static boolean isDamage(Throwable thrown) {
        for (Throwable cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof CorruptIndexException
                    || cause instanceof IndexFormatTooOldException
                    || cause instanceof IndexFormatTooNewException
                    || cause instanceof IndexNotFoundException
                    || cause instanceof NoSuchFileException
                    || cause instanceof EOFException) {
                return true;
            }
        }
        return false;
    }

    private void openAndRead() throws IOException {
        ReplicaStart start = ReplicaStart.ask(topics);
        LuceneIndex index = LuceneIndex.open(settings.directory(), fresh, settings.ramBufferMb());
        try {
            Optional<Checkpoint> usable = usable(index, start);
            if (usable.isEmpty() && index.documents() > 0) {
                index.close();
                index = LuceneIndex.open(settings.directory(), true, settings.ramBufferMb());
            }
            replica.opened(index);
            Optional<Checkpoint> from = usable.isPresent() ? usable : seed(index, start);
            fresh = false;
            if (from.isPresent()) {
                read(index, start, from.get());
            }
        } finally {
            replica.closed();
            index.close();
        }
    }

    private Optional<Checkpoint> usable(LuceneIndex index, ReplicaStart start) {
        Optional<Checkpoint> checkpoint = fresh ? Optional.empty() : index.checkpoint();
        Optional<String> whyNot = checkpoint.flatMap(start::whyNotFrom);
        if (whyNot.isPresent()) {
            meters.alarm(Alarm.REPLICA_DAMAGED);
            LOG.error("the replica cannot go on: {}; it is filled anew from the entries", whyNot.get());
            return Optional.empty();
        }
        return checkpoint;
    }

    private Optional<Checkpoint> seed(LuceneIndex index, ReplicaStart start) throws IOException {
        replica.at(Replica.Phase.SEEDING, "filling the replica from index.entry", 0);
        // Before the first page: see ReplicaStart.offsetsForSeed.
        Map<TopicPartition, Long> offsets = start.offsetsForSeed(seed.writersOffsets(start));
        long rows = seed.fill(index, this::goOn);
        if (rows < 0) {
            return Optional.empty();
        }
        LOG.info("the replica in {} was filled with {} entries", settings.directory(), rows);
        Checkpoint checkpoint = new Checkpoint(offsets, start.topicIds());
        index.refresh();
        index.commit(checkpoint);
        return Optional.of(checkpoint);
    }

    private void read(LuceneIndex index, ReplicaStart start, Checkpoint from) throws IOException {
        ReplicaFeed feed = new ReplicaFeed(index, from, settings.pace(), meters, progress, System.nanoTime());
        replica.at(Replica.Phase.CATCHING_UP, "reading up to the ends of the topics", 0);
        boolean caughtUp = false;
        while (goOn()) {
            caughtUp = follow(feed, start, caughtUp);
        }
        feed.commit(System.nanoTime());
    }

    /**
     * Reads with one consumer, to the end or until there shall be another.
     *
     * @return whether it has been at the ends that the topics had at the start
     */
    private boolean follow(ReplicaFeed feed, ReplicaStart start, boolean wasCaughtUp) throws IOException {
        boolean caughtUp = wasCaughtUp;
        another = false;
        Consumer<byte[], byte[]> consumer = consumers.createConsumer();
        try {
            reading = consumer;
            consumer.assign(start.ends().keySet());
            feed.nextOffsets().forEach(consumer::seek);
            while (goOn() && !another) {
                ConsumerRecords<byte[], byte[]> records = consumer.poll(feed.patience(System.nanoTime(), POLL_MAX));
                for (ConsumerRecord<byte[], byte[]> kafkaRecord : records) {
                    feed.take(kafkaRecord);
                }
                feed.tend(System.nanoTime(), caughtUp);
                caughtUp = tell(consumer, feed, start, caughtUp);
            }
        } catch (WakeupException e) {
            LOG.debug("woken up to stop, or for another consumer", e);
        } finally {
            reading = null;
            consumer.close(CLOSE_SOON);
        }
        return caughtUp;
    }

    /** @return whether it has been at the ends that the topics had at the start */
    private boolean tell(Consumer<byte[], byte[]> consumer, ReplicaFeed feed, ReplicaStart start, boolean caughtUp)
            throws IOException {
        long lag = 0;
        boolean atEnds = true;
        for (Map.Entry<TopicPartition, Long> end : start.ends().entrySet()) {
            long position = consumer.position(end.getKey());
            feed.positionAt(end.getKey(), position);
            atEnds &= position >= end.getValue();
            lag += Math.max(consumer.currentLag(end.getKey()).orElse(0), end.getValue() - position);
        }
        progress.backlog(lag);
        if (!caughtUp && atEnds) {
            // What was read must also be seen, before the first search is answered.
            feed.refresh(System.nanoTime());
            feed.commit(System.nanoTime());
            LOG.info("the replica is ready");
        }
        boolean ready = caughtUp || atEnds;
        replica.at(
                ready ? Replica.Phase.READY : Replica.Phase.CATCHING_UP,
                ready ? "answers searches" : "reading up to the ends of the topics",
                lag);
        return ready;
    }
}
