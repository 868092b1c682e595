package dev.postonce.sandbox.http;

import dev.postonce.sandbox.fault.FaultSettings;
import dev.postonce.sandbox.journal.JournalRef;
import tools.jackson.databind.JsonNode;

/** One platform of the sandbox. Implementations are safe for use by several threads. */
public interface StandIn {

    /** The path's first part, and the name in settings and reports. */
    String platform();

    /** Whether the request is no mere look-up; decides which faults hit it. */
    boolean changesSomething(SandboxRequest request);

    /** Whether the request makes something that has a slug. */
    default boolean createsPost(SandboxRequest request) {
        return false;
    }

    /** Does what the request asks. What changes state goes through {@link Recording#record} before it shows. */
    Answer act(SandboxRequest request, Recording recording);

    /** What the platform says when it is asked too often. */
    Answer tooManyRequests(FaultSettings settings);

    /** Takes a line of the journal back into memory, at start. */
    void replay(JsonNode line, JournalRef ref);

    /** Forgets everything, for tests. */
    void clear();
}
