package dev.postonce.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Processor time, as Linux counts it, to say what bounds a figure. */
final class Cpu {

    private static final double TICKS_A_SECOND = 100;
    private static final int USER_TICKS = 11;
    private static final int TICK_FIELDS = 4;

    private Cpu() {}

    /** Seconds that a process, its children that live and those that ended have used. */
    static double secondsOf(long pid) {
        double sum = ticks(pid, TICK_FIELDS);
        for (ProcessHandle child :
                ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children).toList()) {
            sum += ticks(child.pid(), TICK_FIELDS / 2);
        }
        return sum / TICKS_A_SECOND;
    }

    private static double ticks(long pid, int fields) {
        try {
            String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
            // The program's name stands in parentheses and may hold blanks.
            List<String> after =
                    List.of(stat.substring(stat.lastIndexOf(')') + 2).strip().split(" ", -1));
            double sum = 0;
            for (int i = 0; i < fields; i++) {
                sum += Long.parseLong(after.get(USER_TICKS + i));
            }
            return sum;
        } catch (java.nio.file.NoSuchFileException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
