package dev.postonce.ingest.batch;

import dev.postonce.ingest.batch.BatchRun.Sender;
import dev.postonce.ingest.batch.BatchRun.Tools;
import dev.postonce.ingest.tenant.Principal;
import dev.postonce.ingest.tenant.Scope;
import dev.postonce.ingest.web.ErrorCode;
import dev.postonce.ingest.web.Exchange;
import dev.postonce.ingest.web.IdempotencyKey;
import dev.postonce.ingest.web.JsonBody;
import dev.postonce.ingest.web.Refusal;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Tasks by the thousand: a line in, a line out, while both streams are open. */
@RestController
public final class BatchController implements AutoCloseable {

    static final String ROUTE = "POST /v1/tasks:batch";
    static final String NDJSON = "application/x-ndjson";

    private final Tools tools;
    private final Semaphore places;
    private final ExecutorService threads = Executors.newCachedThreadPool(work -> new Thread(work, "batch"));

    BatchController(Tools tools) {
        this.tools = tools;
        this.places = new Semaphore(tools.settings().atOnceMax());
    }

    @PostMapping("/v1/tasks:batch")
    void submit(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Exchange exchange = Exchange.of(request);
        exchange.enters(ROUTE);
        Principal caller = exchange.caller(Scope.SUBMIT);
        JsonBody.require(request, "x-ndjson");
        Sender sender = new Sender(exchange, caller, keyOf(request));
        if (!places.tryAcquire()) {
            throw Refusal.of(
                    ErrorCode.RATE_LIMITED,
                    "as many batches as this process takes at one time ("
                            + tools.settings().atOnceMax() + ") are on their way");
        }
        try {
            start(sender, request, response);
        } catch (IOException | RuntimeException e) {
            places.release();
            throw e;
        }
    }

    private static @Nullable IdempotencyKey keyOf(HttpServletRequest request) {
        @Nullable IdempotencyKey key = IdempotencyKey.of(request);
        if (key != null && key.value().length() > BatchRun.keyCharactersMax()) {
            throw Refusal.badPayload(
                    "header:" + IdempotencyKey.HEADER,
                    "must have at most " + BatchRun.keyCharactersMax()
                            + " characters for a batch, whose lines get keys made from it");
        }
        return key;
    }

    private void start(Sender sender, HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setStatus(HttpServletResponse.SC_OK);
        response.setContentType(NDJSON);
        ServletInputStream body = request.getInputStream();
        AsyncContext async = request.startAsync(request, response);
        async.setTimeout(0);
        AnswerStream stream = new AnswerStream(
                sender.exchange().requestId(),
                async,
                response.getOutputStream(),
                tools.patience().with(request));
        async.addListener(stream);
        BatchRun run = new BatchRun(tools, sender, stream, places::release);
        response.getOutputStream().setWriteListener(stream);
        threads.execute(run::store);
        threads.execute(() -> run.read(body));
    }

    /** The web server has waited for the batches already; what is left is cut off. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}
