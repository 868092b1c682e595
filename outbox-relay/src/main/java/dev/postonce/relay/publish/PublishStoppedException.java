package dev.postonce.relay.publish;

/** The publisher was told to stop before all rows were acknowledged; they are published again by whoever comes next. */
public final class PublishStoppedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public PublishStoppedException() {
        super("publishing was stopped; what was not acknowledged is read again");
    }
}
