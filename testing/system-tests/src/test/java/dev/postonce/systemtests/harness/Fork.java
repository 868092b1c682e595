package dev.postonce.systemtests.harness;

/** Which of the test JVMs that run side by side this one is. */
final class Fork {

    private static final String PREFIX = "fork-";

    private Fork() {}

    /** From one on. */
    static int number() {
        return Integer.parseInt(
                System.getProperty("postonce.fork", PREFIX + "1").substring(PREFIX.length()));
    }

    /** A name that no other test JVM gives. */
    static String own(String name) {
        return number() == 1 ? name : name + "-" + number();
    }
}
