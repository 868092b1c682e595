package dev.postonce.standalone.status;

/**
 * @param pid 0 while it is down
 * @param residentKib pages in memory, shared ones counted in full
 * @param proportionalKib its share of the memory; the sum over all parts is what the stack takes
 * @param reason why it is not healthy; empty if it is
 */
record PartStatus(
        String part,
        long pid,
        boolean healthy,
        String reason,
        int port,
        int restarts,
        long residentKib,
        long proportionalKib) {}
