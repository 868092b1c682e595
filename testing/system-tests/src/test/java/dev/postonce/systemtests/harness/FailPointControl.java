package dev.postonce.systemtests.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Arms the fail points of one running process, and reads which of them acted. */
public final class FailPointControl {

    private final Path control;
    private final Path log;

    FailPointControl(Path directory, String name) {
        this.control = directory.resolve(name + ".failpoints");
        this.log = directory.resolve(name + ".failpoints.log");
    }

    List<String> options() {
        return List.of("-Dpostonce.failpoints.control=" + control, "-Dpostonce.failpoints.log=" + log);
    }

    /** @param actions {@code point=action;…}, as FailPointActions reads them */
    public void arm(String actions) {
        try {
            Path written = Files.createTempFile(control.getParent(), "control", ".tmp");
            Files.writeString(written, actions);
            Files.move(written, control, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public void disarm() {
        arm("");
    }

    /** {@code point action} → how often, since the process' files were made. */
    public Map<String, Long> acted() {
        Map<String, Long> acted = new TreeMap<>();
        try {
            if (Files.exists(log)) {
                String text = Files.readString(log);
                // The last line may still be on its way.
                text.substring(0, text.lastIndexOf('\n') + 1).lines().forEach(line -> {
                    String[] words = line.split(" ", -1);
                    acted.merge(words[0] + " " + words[2], 1L, Long::sum);
                });
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return acted;
    }

    public long acted(String point, String action) {
        return acted().getOrDefault(point + " " + action, 0L);
    }
}
