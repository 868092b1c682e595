package dev.postonce.standalone.process;

import dev.postonce.standalone.PrivateFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** A process, told apart from a later one that got the same number. */
public record ProcessId(long pid, long startTicks, String bootId) {

    /** Empty if it is gone. */
    public static Optional<ProcessId> of(long pid) {
        return ProcFs.startTicks(pid).map(ticks -> new ProcessId(pid, ticks, ProcFs.bootId()));
    }

    public static ProcessId current() {
        return of(ProcessHandle.current().pid())
                .orElseThrow(() -> new IllegalStateException("this needs Linux with a readable /proc"));
    }

    public boolean isAlive() {
        return of(pid).filter(this::equals).isPresent();
    }

    public void save(Path file) {
        PrivateFiles.write(file, pid + " " + startTicks + " " + bootId + "\n");
    }

    /** Empty for a file that is absent or was not written by {@link #save}. */
    public static Optional<ProcessId> load(Path file) {
        try {
            String[] words = Files.readString(file).strip().split(" ", -1);
            return words.length == 3
                    ? Optional.of(new ProcessId(Long.parseLong(words[0]), Long.parseLong(words[1]), words[2]))
                    : Optional.empty();
        } catch (IOException | NumberFormatException e) {
            return Optional.empty();
        }
    }
}
