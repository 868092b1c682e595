package dev.postonce.standalone.up;

import org.jspecify.annotations.Nullable;

/** The stack does not come up; the message tells the user what to do. */
public final class StartFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    StartFailedException(@Nullable String message) {
        super(message);
    }
}
