package dev.postonce.standalone;

/** The exit codes of all commands; documented in {@code docs/names.md}. */
public final class ExitCodes {

    public static final int OK = 0;

    /** The command ran, and what it looked for is there: an invariant is broken, a submission was refused, a part is down. */
    public static final int FOUND = 1;

    /** Wrong usage; nothing was done. */
    public static final int USAGE = 2;

    /** Another {@code up} holds this POSTONCE_HOME. */
    public static final int ALREADY_RUNNING = 3;

    /** The stack does not run, or does not answer. */
    public static final int NOT_RUNNING = 4;

    /** The stack could not be started, or did not become healthy in time. */
    public static final int START_FAILED = 5;

    /** An error that no other code names; the message says what happened. */
    public static final int ERROR = 6;

    private ExitCodes() {}
}
