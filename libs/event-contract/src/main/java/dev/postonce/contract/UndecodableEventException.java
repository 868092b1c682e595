package dev.postonce.contract;

import org.jspecify.annotations.Nullable;

/** An event's data cannot be read. Retrying changes nothing: the event is parked, and a person looks at it. */
public final class UndecodableEventException extends RuntimeException {

    private static final long serialVersionUID = 1;

    public UndecodableEventException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
