package dev.postonce.dispatch.connector;

/** Asked right before the request that has the effect: a sender that slept past its lease sends nothing any more. */
@FunctionalInterface
public interface SendGuard {

    boolean maySend();
}
