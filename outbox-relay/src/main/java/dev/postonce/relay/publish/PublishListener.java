package dev.postonce.relay.publish;

import dev.postonce.relay.outbox.OutboxRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the publisher tells the source's status and meters. */
public interface PublishListener {

    /** A batch is in hand; its rows are committed and not acknowledged yet. */
    void began(List<OutboxRow> rows);

    void acknowledged(List<OutboxRow> rows);

    void parked(OutboxRow row, String reasonCode);

    /**
     * @param reason why nothing goes on at the moment; null when it does again
     */
    void waiting(@Nullable String reason);
}
