package dev.postonce.runtime;

/** Thrown by a fail point that a test told to throw; never in production. */
public final class FailPointException extends RuntimeException {

    private static final long serialVersionUID = 1;

    FailPointException(String message) {
        super(message);
    }
}
