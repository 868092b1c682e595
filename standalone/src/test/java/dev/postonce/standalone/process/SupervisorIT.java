package dev.postonce.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Children that die, are held, and are ended. */
class SupervisorIT {

    private static final Duration SOON = Duration.ofSeconds(20);

    @TempDir
    Path directory;

    private final List<String> told = new CopyOnWriteArrayList<>();
    private StandaloneHome home;
    private Parts parts;
    private Supervisor supervisor;

    @BeforeEach
    void begin() {
        home = new StandaloneHome(directory);
        PrivateFiles.directory(home.run());
        parts = new Parts(home);
        supervisor = new Supervisor(home, InstantSource.system(), told::add);
    }

    @AfterEach
    void end() {
        supervisor.close();
    }

    @Test
    void a_child_that_is_killed_is_started_again_and_counted() {
        supervisor.keep(child("a", "sleep 60", () -> {}));

        long first = parts.kill("a");

        assertThat(Waiting.until(SOON, () -> parts.process("a").isPresent())).isTrue();
        assertThat(parts.process("a").orElseThrow().pid()).isNotEqualTo(first);
        assertThat(Waiting.until(SOON, () -> recordedRestarts("a") == 1)).isTrue();
        assertThat(told).anyMatch(line -> line.contains("a ended with code 137"));
    }

    @Test
    void a_child_that_keeps_dying_is_started_ever_more_slowly_but_always() {
        supervisor.keep(child("a", "exit 3", () -> {}));

        assertThat(Waiting.until(SOON, () -> supervisor.restarts("a") >= 4)).isTrue();
        assertThat(told).anyMatch(line -> line.contains("in 200 ms")).anyMatch(line -> line.contains("in 800 ms"));
    }

    @Test
    void a_child_that_is_held_stays_down_until_it_is_released() {
        supervisor.keep(child("a", "sleep 60", () -> {}));

        parts.hold("a");
        assertThat(Waiting.until(
                        Duration.ofMillis(700), () -> parts.process("a").isPresent()))
                .isFalse();
        parts.release("a");

        assertThat(Waiting.until(SOON, () -> parts.process("a").isPresent())).isTrue();
    }

    @Test
    void what_stands_in_the_way_of_a_start_is_tried_again() {
        int[] tries = {0};
        supervisor.keep(child("a", "sleep 60", () -> {
            if (tries[0]++ == 0) {
                throw new IllegalStateException("somebody is still there");
            }
        }));

        assertThat(Waiting.until(SOON, () -> parts.process("a").isPresent())).isTrue();
        assertThat(told).anyMatch(line -> line.contains("somebody is still there"));
    }

    @Test
    void nothing_is_started_once_the_end_has_begun() {
        supervisor.keep(child("a", "sleep 60", () -> {}));
        long pid = parts.process("a").orElseThrow().pid();

        supervisor.close();

        assertThat(ProcFs.isAlive(pid)).isFalse();
        assertThatThrownBy(() -> supervisor.keep(child("b", "sleep 60", () -> {})))
                .isInstanceOf(IllegalStateException.class);
        assertThat(parts.process("b")).isEmpty();
    }

    @Test
    void a_child_goes_on_when_ctrl_c_is_typed_to_its_supervisor() throws IOException {
        supervisor.keep(child("a", "sleep 60", () -> {}));
        long pid = parts.process("a").orElseThrow().pid();

        // Ctrl-C goes to the foreground process group; the child leads a session and a group of its own.
        String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
        assertThat(fields[2]).as("process group").isEqualTo(Long.toString(pid));
    }

    @Test
    void one_home_has_one_holder() {
        try (HomeLock lock = HomeLock.tryLock(home).orElseThrow()) {
            assertThat(HomeLock.tryLock(home)).isEmpty();
            assertThat(HomeLock.holder(home))
                    .map(ProcessId::pid)
                    .contains(ProcessHandle.current().pid());
        }
        assertThat(HomeLock.holder(home)).isEmpty();
    }

    private int recordedRestarts(String name) {
        return SupervisorRecord.load(home)
                .flatMap(record -> record.part(name))
                .map(ChildStatus::restarts)
                .orElse(-1);
    }

    private Child child(String name, String script, Runnable beforeStart) {
        return new Child(
                name, List.of("sh", "-c", script), Map.of(), directory, "TERM", Duration.ofSeconds(5), beforeStart);
    }
}
