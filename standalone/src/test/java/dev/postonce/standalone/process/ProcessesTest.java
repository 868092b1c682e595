package dev.postonce.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a process, and what is not believed. */
class ProcessesTest {

    @TempDir
    Path directory;

    private final List<Process> started = new ArrayList<>();

    @AfterEach
    void end_what_was_started() {
        started.forEach(Process::destroyForcibly);
    }

    @Test
    void a_pid_file_of_a_number_that_was_used_again_is_not_believed() {
        ProcessId now = ProcessId.current();
        Path file = directory.resolve("x.pid");

        new ProcessId(now.pid(), now.startTicks() - 1, now.bootId()).save(file);

        assertThat(ProcessId.load(file)).isPresent().get().matches(id -> !id.isAlive(), "not alive");
    }

    @Test
    void a_pid_file_of_an_earlier_boot_is_not_believed() {
        ProcessId now = ProcessId.current();

        assertThat(new ProcessId(now.pid(), now.startTicks(), "another boot").isAlive())
                .isFalse();
        assertThat(now.isAlive()).isTrue();
    }

    @Test
    void junk_in_a_pid_file_is_no_process() throws IOException {
        Path file = directory.resolve("x.pid");
        Files.writeString(file, "12 ab");

        assertThat(ProcessId.load(file)).isEmpty();
        assertThat(ProcessId.load(directory.resolve("none"))).isEmpty();
    }

    @Test
    void a_zombie_counts_as_gone() throws IOException {
        // The shell's child ends while the shell, turned into a sleep, never asks for it.
        Process parent = start("sh", "-c", "sleep 0.2 & exec sleep 60");
        Waiting.until(Duration.ofSeconds(5), () -> parent.children().findAny().isPresent());
        long child = parent.children().findAny().orElseThrow().pid();

        assertThat(Signals.awaitGone(child, Duration.ofSeconds(10))).isTrue();
        assertThat(Files.readString(Path.of("/proc/" + child + "/stat"))).contains(") Z ");
    }

    @Test
    void only_a_child_that_names_the_home_is_an_orphan_of_it() throws IOException {
        StandaloneHome home = new StandaloneHome(directory.resolve("home"));
        StandaloneHome longer = new StandaloneHome(directory.resolve("home-2"));
        Process ours = sleeper(home, "relay");
        Process other = sleeper(longer, "relay");

        assertThat(Orphans.find(home)).containsExactly(ours.pid());
        assertThat(Orphans.find(home, "kafka")).isEmpty();

        assertThat(Orphans.endAll(home)).singleElement().asString().contains("relay");
        // The JVM notices a child's end a moment later than the kernel.
        assertThat(ProcFs.isAlive(ours.pid())).isFalse();
        assertThat(other.isAlive()).isTrue();
    }

    @Test
    void a_process_that_ignores_the_polite_signal_is_killed() throws IOException {
        Process stubborn = start("sh", "-c", "trap '' TERM; echo ready; while true; do sleep 0.1; done");
        assertThat(stubborn.inputReader().readLine()).isEqualTo("ready");

        Signals.end(stubborn.pid(), "TERM", Duration.ofMillis(300));

        assertThat(ProcFs.isAlive(stubborn.pid())).isFalse();
    }

    @Test
    void a_full_log_is_cut_while_its_writer_goes_on() throws Exception {
        Path file = directory.resolve("logs/part.log");
        LogFile log = new LogFile(file, 1000);
        log.rotateAtStart();
        Process writer = new ProcessBuilder(
                        "sh",
                        "-c",
                        "i=0; while [ $i -lt 400 ]; do echo line $i; i=$((i+1)); done; " + "while [ ! -e "
                                + directory.resolve("go") + " ]; do sleep 0.02; done; echo last")
                .redirectOutput(ProcessBuilder.Redirect.appendTo(file.toFile()))
                .start();
        started.add(writer);
        Waiting.until(Duration.ofSeconds(10), () -> LogTail.of(file).contains("line 399"));

        log.rotateWhenFull();
        Files.createFile(directory.resolve("go"));
        writer.waitFor();

        assertThat(Files.readString(file)).isEqualTo("last\n");
        assertThat(Files.readString(directory.resolve("logs/part.log.1"))).contains("line 0\n", "line 399\n");
    }

    private Process sleeper(StandaloneHome home, String part) throws IOException {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "sleep 60; :", "sh"));
        command.addAll(Orphans.marks(home, part));
        return start(command.toArray(String[]::new));
    }

    private Process start(String... command) throws IOException {
        Process process = new ProcessBuilder(command).start();
        started.add(process);
        return process;
    }
}
