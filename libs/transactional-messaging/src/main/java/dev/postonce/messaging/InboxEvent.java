package dev.postonce.messaging;

import dev.postonce.contract.EventEnvelope;

/** One event at the gate: its envelope, and the content digest that stands in its data. */
public record InboxEvent(EventEnvelope envelope, String contentDigest) {

    String key() {
        return envelope.recordKey().toString();
    }
}
