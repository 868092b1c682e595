package dev.postonce.invariants.facts;

/** The system holds more than was to be kept in memory. Nothing is wrong with it; look at a part of its keys. */
public final class TooManyFactsException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public TooManyFactsException(long factsMax) {
        super("more than " + factsMax
                + " facts; check a part of the keys at a time with a prefix, or give more memory");
    }
}
