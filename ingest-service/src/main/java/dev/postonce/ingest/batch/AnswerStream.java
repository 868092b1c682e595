package dev.postonce.ingest.batch;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends answers as fast as the client reads them, and never waits for it: a client that sends its whole batch first
 * would wait for us in turn. Used by the thread that answers and by the container's.
 */
final class AnswerStream implements WriteListener, AsyncListener {

    private static final Logger LOG = LoggerFactory.getLogger(AnswerStream.class);
    private static final int MEMORY_BYTES_MAX = 256 * 1024;

    private final String requestId;
    private final AsyncContext request;
    private final ServletOutputStream stream;
    private final Runnable atEnd;
    private final Spool spool = new Spool(MEMORY_BYTES_MAX);
    private boolean flushed = true;
    private boolean finished;
    private boolean gone;
    private boolean completed;
    private boolean toldLost;

    /** @param atEnd called once, before the container has the connection back */
    AnswerStream(String requestId, AsyncContext request, ServletOutputStream stream, Runnable atEnd) {
        this.requestId = requestId;
        this.request = request;
        this.stream = stream;
        this.atEnd = atEnd;
    }

    synchronized void add(byte[] answer) {
        if (gone) {
            return;
        }
        try {
            spool.add(answer);
            flushed = false;
        } catch (IOException e) {
            LOG.error("answers of a batch cannot be kept until they are read; it ends here", e);
            gone = true;
        }
    }

    /** Sends what there is, as far as the client takes it. */
    synchronized void send() {
        try {
            while (!gone && stream.isReady()) {
                byte[] piece = spool.poll();
                if (piece != null) {
                    stream.write(piece);
                } else if (!flushed) {
                    flushed = true;
                    stream.flush();
                } else {
                    break;
                }
            }
        } catch (IOException e) {
            gone = true;
            lost("its answers cannot be sent");
        }
        boolean sent = flushed || gone;
        if (finished && sent && !completed) {
            complete();
        }
    }

    /** No more answers come, and nothing reads the request any more. */
    synchronized void finish() {
        finished = true;
        send();
    }

    synchronized boolean isGone() {
        return gone;
    }

    /** Both directions find out that the client went away; it is one line. */
    synchronized void lost(String what) {
        if (!toldLost) {
            toldLost = true;
            LOG.info("batch {} lost its client: {}. What was committed stays", requestId, what);
        }
    }

    private void complete() {
        completed = true;
        atEnd.run();
        try {
            spool.close();
        } catch (IOException e) {
            LOG.warn("a spool file was not removed: {}", e.getMessage());
        }
        try {
            request.complete();
        } catch (IllegalStateException e) {
            // The container has ended it already, after an error of its own.
            LOG.debug("a batch was ended by the container", e);
        }
    }

    @Override
    public void onWritePossible() {
        send();
    }

    /** By the container, for whatever it found out before us. */
    @Override
    public synchronized void onError(Throwable error) {
        gone = true;
        lost("its connection ended");
        send();
    }

    /** Or the container would make an error page, for nobody. */
    @Override
    public void onError(AsyncEvent event) {
        onError(event.getThrowable());
        try {
            request.complete();
        } catch (IllegalStateException e) {
            LOG.debug("a batch had ended already", e);
        }
    }

    @Override
    public void onComplete(AsyncEvent event) {}

    @Override
    public void onTimeout(AsyncEvent event) {}

    @Override
    public void onStartAsync(AsyncEvent event) {}
}
