package dev.postonce.systemtests.harness;

/** Which of the test JVMs that run side by side this one is. */
final class Fork {

    private Fork() {}

    /** From one on. */
    static int number() {
        return Integer.getInteger("postonce.fork", 1);
    }

    /** A name that no other test JVM gives. */
    static String own(String name) {
        return number() == 1 ? name : name + "-" + number();
    }
}
