package dev.postonce.standalone.process;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.StandaloneHome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Children that outlived their supervisor. Every child of ours carries its home and its name among its arguments; a pid
 * file alone proves nothing, since pids are used again.
 */
public final class Orphans {

    private static final String HOME = "-Dpostonce.home=";
    private static final String PART = "-Dpostonce.part=";
    private static final Duration PATIENCE = Duration.ofSeconds(15);

    private Orphans() {}

    /** The arguments by which a child is known again. */
    public static List<String> marks(StandaloneHome home, String name) {
        return List.of(HOME + home.root(), PART + name);
    }

    public static List<Long> find(StandaloneHome home) {
        return ProcFs.find(pid -> ProcFs.isAlive(pid) && isOf(home, pid));
    }

    public static List<Long> find(StandaloneHome home, String name) {
        return find(home).stream()
                .filter(pid -> nameOf(pid).filter(name::equals).isPresent())
                .toList();
    }

    /** Ends what an earlier run left behind: services first, then the broker that they talk to. */
    public static List<String> endAll(StandaloneHome home) {
        List<String> ended = new ArrayList<>();
        List<Long> left = find(home);
        List<Long> brokers = left.stream().filter(Orphans::isBroker).toList();
        List<Long> services =
                left.stream().filter(pid -> !brokers.contains(pid)).toList();
        for (List<Long> tier : List.of(services, brokers)) {
            for (long pid : tier) {
                ended.add(nameOf(pid).orElse("a child") + " (pid " + pid + ")");
                Signals.send(pid, "TERM");
            }
            for (long pid : tier) {
                if (!Signals.awaitGone(pid, PATIENCE)) {
                    Signals.kill(pid);
                }
            }
        }
        return ended;
    }

    /** Ends every other process that works as this part of this home. */
    public static void endOf(StandaloneHome home, String name) {
        for (long pid : find(home, name)) {
            Signals.end(pid, "TERM", PATIENCE);
        }
    }

    private static boolean isBroker(long pid) {
        return nameOf(pid).filter(Part.KAFKA.label()::equals).isPresent();
    }

    private static boolean isOf(StandaloneHome home, long pid) {
        return ProcFs.arguments(pid).contains(HOME + home.root());
    }

    private static Optional<String> nameOf(long pid) {
        return ProcFs.arguments(pid).stream()
                .filter(argument -> argument.startsWith(PART))
                .map(argument -> argument.substring(PART.length()))
                .findFirst();
    }
}
