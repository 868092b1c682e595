package dev.postonce.ingest.batch;

import dev.postonce.ingest.batch.LineReader.Line;
import dev.postonce.ingest.task.TaskLines;
import dev.postonce.ingest.task.TaskLines.Prepared;
import dev.postonce.ingest.task.TaskLines.Result;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.web.Command;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.JsonBody.Parsed;
import dev.postonce.ingest.web.Refusal;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One batch on its way. One thread reads and prepares lines, another stores and answers them; between them waits a
 * bounded number of bytes, so that whichever is faster waits for the other. Lines that are there together share a
 * statement; a line that comes alone is answered alone.
 */
final class BatchRun {

    static final String LINE_PATH = "/v1/tasks";
    private static final String KEY_FIELD = "idempotency_key";
    private static final int DERIVED_CHARACTERS = 24;
    private static final int LOOK_MS = 200;
    private static final Logger LOG = LoggerFactory.getLogger(BatchRun.class);

    /** What a batch works with. */
    record Tools(TaskLines lines, JsonBody bodies, LineAnswers answers, BatchSettings settings, Patience patience) {}

    /** Who sent it. */
    record Sender(Exchange exchange, Principal caller, @Nullable IdempotencyKey key) {}

    /** @param prepared null for the end, which says how it ended */
    private record Item(long number, int bytes, @Nullable IdempotencyKey key, @Nullable Prepared prepared, End end) {}

    /** Why no line follows. */
    enum End {
        NOT_YET,
        WHOLE,
        TOO_MANY_LINES,
        CUT_OFF,
        STORAGE_AWAY
    }

    private final Tools tools;
    private final Sender sender;
    private final AnswerStream stream;
    private final BlockingQueue<Item> read;
    private final Semaphore bytesInHand;
    private final AtomicInteger threads = new AtomicInteger(2);
    private final Runnable ended;
    private volatile boolean stopped;

    BatchRun(Tools tools, Sender sender, AnswerStream stream, Runnable ended) {
        this.tools = tools;
        this.sender = sender;
        this.stream = stream;
        this.ended = ended;
        this.read = new ArrayBlockingQueue<>(2 * tools.settings().chunkLinesMax());
        this.bytesInHand = new Semaphore(tools.settings().bytesInHandMax());
    }

    /** By the reading thread. */
    void read(InputStream body) {
        End end = End.CUT_OFF;
        long number = 0;
        try {
            LineReader lines = new LineReader(body, tools.bodies().bytesMax());
            @Nullable Line line = lines.next();
            while (line != null && !stopped) {
                number = line.number();
                if (number > tools.settings().linesMax()) {
                    break;
                }
                if (!line.isBlank()) {
                    hand(prepare(line));
                }
                line = lines.next();
            }
            end = line == null ? End.WHOLE : End.TOO_MANY_LINES;
        } catch (IOException e) {
            stream.lost("it was cut off in line " + (number + 1));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException e) {
            if (stream.isGone()) {
                // The container has taken its request back already.
                stream.lost("it was cut off in line " + (number + 1));
            } else {
                LOG.error("batch {} stopped being read", sender.exchange().requestId(), e);
            }
        } finally {
            endOfReading(new Item(number, 0, null, null, end));
        }
    }

    private void endOfReading(Item last) {
        try {
            hand(last);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            threadEnds();
        }
    }

    /** Waits for room, unless nobody takes lines any more. */
    private void hand(Item item) throws InterruptedException {
        while (!stopped && !bytesInHand.tryAcquire(item.bytes(), LOOK_MS, TimeUnit.MILLISECONDS)) {}
        while (!stopped && !read.offer(item, LOOK_MS, TimeUnit.MILLISECONDS)) {}
    }

    private Item prepare(Line line) {
        Exchange exchange = Exchange.ofWrite(
                sender.exchange().requestId() + ":" + line.number(),
                sender.caller(),
                sender.exchange().traceparent());
        // A line longer than all that may be in hand waits until nothing else is.
        int bytes = Math.min(line.bytes().length, tools.settings().bytesInHandMax());
        @Nullable IdempotencyKey key = null;
        Prepared prepared;
        try {
            ObjectNode json = treeOf(line);
            JsonNode given = json.path(KEY_FIELD);
            json.remove(KEY_FIELD);
            Parsed body = Parsed.of(json);
            key = keyOf(given, body);
            prepared = tools.lines().prepare(Command.ofPost(LINE_PATH, exchange, sender.caller(), body, key));
        } catch (RuntimeException e) {
            prepared = Prepared.failed(exchange, e);
        }
        return new Item(line.number(), bytes, key, prepared, End.NOT_YET);
    }

    private ObjectNode treeOf(Line line) {
        if (line.tooLong()) {
            int limit = tools.bodies().bytesMax();
            throw Refusal.of(ErrorCode.PAYLOAD_TOO_LARGE, "the line is longer than " + limit + " bytes")
                    .with("limit_bytes", limit);
        }
        return tools.bodies().tree(line.bytes());
    }

    /** The line's own; else, where the request has one, that and the line's digest; else none. */
    private @Nullable IdempotencyKey keyOf(JsonNode given, Parsed body) {
        if (given.isString()) {
            return IdempotencyKey.ofField("/" + KEY_FIELD, given.stringValue());
        }
        if (!given.isMissingNode() && !given.isNull()) {
            throw Refusal.badPayload("/" + KEY_FIELD, "must be a string");
        }
        if (sender.key() == null) {
            return null;
        }
        String digest = body.digest("POST", LINE_PATH, null).substring(0, DERIVED_CHARACTERS);
        return new IdempotencyKey(sender.key().value() + ":" + digest);
    }

    /** The longest key of a request from which a line's key can be made. */
    static int keyCharactersMax() {
        return IdempotencyKey.CHARACTERS_MAX - DERIVED_CHARACTERS - 1;
    }

    /** By the storing thread. */
    void store() {
        LineAnswers.Tally tally = new LineAnswers.Tally();
        End end = End.NOT_YET;
        try {
            while (end == End.NOT_YET) {
                end = storeChunk(tally);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            end = End.CUT_OFF;
        } catch (RuntimeException e) {
            LOG.error("batch {} stopped being stored", sender.exchange().requestId(), e);
            end = End.CUT_OFF;
        } finally {
            stopped = true;
            stream.add(tools.answers().summary(tally, end, tools.settings().linesMax()));
            stream.send();
            threadEnds();
        }
    }

    private End storeChunk(LineAnswers.Tally tally) throws InterruptedException {
        List<Item> chunk = new ArrayList<>();
        List<Prepared> lines = new ArrayList<>();
        End end = End.NOT_YET;
        int bytes = 0;
        for (@Nullable Item item = read.take(); item != null; item = next(chunk.size())) {
            if (item.prepared() == null) {
                end = item.end();
                break;
            }
            chunk.add(item);
            lines.add(item.prepared());
            bytes += item.bytes();
        }
        List<Result> results = tools.lines().store(lines);
        boolean away = false;
        for (int i = 0; i < results.size(); i++) {
            Item item = chunk.get(i);
            LineAnswers.Answer answer = tools.answers().of(item.number(), item.key(), lines.get(i), results.get(i));
            tally.count(answer);
            stream.add(answer.bytes());
            away = answer.code() == ErrorCode.STORAGE_FAILED;
        }
        bytesInHand.release(bytes);
        stream.send();
        if (stream.isGone()) {
            return End.CUT_OFF;
        }
        return away ? End.STORAGE_AWAY : end;
    }

    private @Nullable Item next(int have) {
        return have < tools.settings().chunkLinesMax() ? read.poll() : null;
    }

    /** The last of the two ends the answer: until then the request may still be read. */
    private void threadEnds() {
        if (threads.decrementAndGet() == 0) {
            stream.finish();
            ended.run();
        }
    }
}
