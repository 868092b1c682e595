package dev.postonce.sandbox.http;

import dev.postonce.sandbox.fault.FaultDecision;
import dev.postonce.sandbox.journal.JournalRef;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** One request's line in the journal, written once. Used by one thread at a time. */
public final class Recording {

    private final RequestLog log;
    private final String platform;
    private final SandboxRequest request;
    private final FaultDecision fault;
    private boolean recorded;

    Recording(RequestLog log, String platform, SandboxRequest request, FaultDecision fault) {
        this.log = log;
        this.platform = platform;
        this.request = request;
        this.fault = fault;
    }

    public FaultDecision fault() {
        return fault;
    }

    /** Writes the request, what it did and what it is answered. */
    public JournalRef record(int status, @Nullable ObjectNode effect) {
        if (recorded) {
            throw new IllegalStateException("a request has one line in the journal");
        }
        recorded = true;
        return log.append(platform, request, fault, status, effect);
    }

    void recordIfNotYet(int status) {
        if (!recorded) {
            record(status, null);
        }
    }
}
