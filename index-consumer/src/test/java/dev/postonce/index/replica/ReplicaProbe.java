package dev.postonce.index.replica;

import dev.postonce.contract.TaskState;
import dev.postonce.index.Samples;
import dev.postonce.index.event.IndexEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** A replica without Kafka. */
public final class ReplicaProbe implements AutoCloseable {

    private final LuceneIndex index;
    private final Replica replica = new Replica();

    public ReplicaProbe(Path directory) {
        try {
            index = LuceneIndex.open(directory, false, 8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        replica.opened(index);
    }

    public Replica replica() {
        return replica;
    }

    public void task(String tenant, String id, long version, String title, String html, boolean deleted) {
        TaskState state = Samples.task(tenant, id, version, title, html, deleted);
        try {
            index.apply(ReplicaDocument.of(new IndexEvent.OfTask(Samples.event(state), state)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void ready() {
        try {
            index.refresh();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        replica.at(Replica.Phase.READY, "test", 0);
    }

    @Override
    public void close() {
        try {
            index.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
