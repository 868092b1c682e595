package dev.postonce.dispatch.target;

import java.time.Instant;

/** What a target needs next. */
public sealed interface NextStep {

    /** Nothing, until something new comes. */
    record Rest() implements NextStep {}

    /** The desired version looks like the shown one: it is shown. */
    record MoveShown() implements NextStep {}

    /** Withdrawn before any platform saw it. */
    record TakeBackUnseen() implements NextStep {}

    /** @param errorCode {@code connector_missing}, {@code account_missing}, {@code credential_missing} */
    record NotConfigured(String errorCode) implements NextStep {}

    record WaitUntil(Instant at) implements NextStep {}

    record Send(Action action) implements NextStep {}
}
