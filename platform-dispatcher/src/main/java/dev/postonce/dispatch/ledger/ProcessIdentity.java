package dev.postonce.dispatch.ledger;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Who a process is, so that another on the same host can prove that it is gone.
 *
 * @param hostIdentity boot id, host name and process-id namespace: a process id means something only within all three
 * @param start in ticks since boot where /proc tells; those do not move when somebody sets the clock
 */
public record ProcessIdentity(String hostIdentity, long pid, String start) {

    private static final Logger LOG = LoggerFactory.getLogger(ProcessIdentity.class);
    private static final String UNKNOWN_START = "unknown";
    private static final int FIELDS_BEFORE_START_TIME = 19;

    public static ProcessIdentity ofThisProcess() {
        long pid = ProcessHandle.current().pid();
        return new ProcessIdentity(thisHost(), pid, startOf(pid).orElse(UNKNOWN_START));
    }

    /** True only if it is certain; a process of another host, or one that cannot be told apart, may still send. */
    public boolean isCertainlyGone(ProcessIdentity observer) {
        if (!hostIdentity.equals(observer.hostIdentity)) {
            return false;
        }
        boolean alive = ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
        if (!alive || isBuriedOnly(pid)) {
            return true;
        }
        Optional<String> startNow = startOf(pid);
        // The number was given again, to a process that started at another time.
        return startNow.isPresent()
                && !start.equals(UNKNOWN_START)
                && !startNow.get().equals(start);
    }

    /** Dead, and not yet collected by its parent: no thread of it is left that could send. */
    private static boolean isBuriedOnly(long pid) {
        String stat = read("/proc/" + pid + "/stat");
        int afterName = stat.lastIndexOf(')');
        if (afterName < 0 || !stat.startsWith(") Z", afterName)) {
            return false;
        }
        try (Stream<Path> threads = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return threads.count() <= 1;
        } catch (IOException e) {
            // It was collected while we looked; the next look sees that.
            return false;
        }
    }

    private static String thisHost() {
        return String.join("/", read("/proc/sys/kernel/random/boot_id"), hostName(), link("/proc/self/ns/pid"));
    }

    private static String hostName() {
        String fromKernel = read("/proc/sys/kernel/hostname");
        if (!fromKernel.isEmpty()) {
            return fromKernel;
        }
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            LOG.warn("this host has no name; a dead dispatcher is told from a live one by its boot id alone");
            return "";
        }
    }

    private static Optional<String> startOf(long pid) {
        String stat = read("/proc/" + pid + "/stat");
        int afterName = stat.lastIndexOf(')');
        if (afterName < 0) {
            return Optional.empty();
        }
        String[] fields = stat.substring(afterName + 1).trim().split(" ");
        return fields.length > FIELDS_BEFORE_START_TIME
                ? Optional.of("ticks:" + fields[FIELDS_BEFORE_START_TIME])
                : Optional.empty();
    }

    private static String read(String file) {
        try {
            return new String(Files.readAllBytes(Path.of(file)), StandardCharsets.ISO_8859_1).trim();
        } catch (IOException e) {
            // Not Linux, or the process has just gone.
            return "";
        }
    }

    private static String link(String file) {
        try {
            return Files.readSymbolicLink(Path.of(file)).toString();
        } catch (IOException | UnsupportedOperationException e) {
            return "";
        }
    }
}
