package dev.postonce.standalone.up;

/** What a start is for. */
public enum StartMode {
    /** To be used; takes class archives where they are there. */
    USE,

    /** To be ended at once: each JVM writes its class archive when it ends, which takes it longer than it ran. */
    PREPARE
}
