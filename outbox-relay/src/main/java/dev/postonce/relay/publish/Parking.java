package dev.postonce.relay.publish;

import dev.postonce.relay.outbox.OutboxRow;
import java.util.List;

/** Where rows go that Kafka refuses for good. Nothing that is here is sent again by itself. */
public interface Parking {

    /** Kept with its data and its reason; parking it again changes nothing. */
    void park(String source, OutboxRow row, String reasonCode, String reason);

    /** The rows without those that were parked before: their place in their key's order has passed. */
    List<OutboxRow> withoutParked(String source, List<OutboxRow> rows);

    /** Later versions were acknowledged: what is parked of the same keys is history. */
    void supersede(String source, List<OutboxRow> acknowledged);
}
