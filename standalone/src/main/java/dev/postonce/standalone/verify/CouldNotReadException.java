package dev.postonce.standalone.verify;

/** A source or sink could not be read, so there is no verdict. Nothing was changed; verify can be run again. */
public final class CouldNotReadException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public CouldNotReadException(String message, Throwable cause) {
        super(message, cause);
    }

    public CouldNotReadException(String message) {
        super(message);
    }
}
