package dev.postonce.ingest.web;

import java.time.Instant;

/** Admits so many a second, and no more. Safe for use by several threads. */
final class RateGate {

    private final int admittedMax;
    private long second;
    private int admitted;

    RateGate(int admittedMax) {
        this.admittedMax = admittedMax;
    }

    synchronized boolean admits(Instant now) {
        if (now.getEpochSecond() != second) {
            second = now.getEpochSecond();
            admitted = 0;
        }
        if (admitted >= admittedMax) {
            return false;
        }
        admitted++;
        return true;
    }
}
