package dev.postonce.ingest.web;

import java.time.Instant;

/** Admits so many a second, and no more. Safe for use by several threads. */
public final class RateGate {

    private final int admittedMax;
    private long second;
    private int admitted;

    public RateGate(int admittedMax) {
        this.admittedMax = admittedMax;
    }

    public synchronized boolean admits(Instant now) {
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
