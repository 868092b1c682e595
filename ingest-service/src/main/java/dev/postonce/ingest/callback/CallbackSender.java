package dev.postonce.ingest.callback;

/** Makes one attempt. A port, so that tests can end a worker at any place. */
@FunctionalInterface
interface CallbackSender {

    DeliveryOutcome send(Lane lane, DueCallback callback);
}
