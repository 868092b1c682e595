package dev.postonce.relay.source;

/** Another relay has this source now, or may have; nothing more may be published or marked by this one. */
public final class ClaimLostException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public ClaimLostException(String message) {
        super(message);
    }
}
