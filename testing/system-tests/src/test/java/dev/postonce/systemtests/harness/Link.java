package dev.postonce.systemtests.harness;

/**
 * A way between two processes that can be made bad by itself.
 *
 * @param client the instance that opens connections; {@code upstream} for whoever submits
 */
public record Link(String client, Peer peer) {

    public enum Peer {
        POSTGRES,
        KAFKA,
        /** The platforms, for a dispatcher. */
        PLATFORMS,
        /** The upstream's callback sink. */
        CALLBACKS,
        /** The API of ingest-service. */
        INTAKE
    }

    public static final Link UPSTREAM = new Link("upstream", Peer.INTAKE);

    @Override
    public String toString() {
        return client + ">" + peer.name().toLowerCase(java.util.Locale.ROOT);
    }
}
