package dev.postonce.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailPointActionsTest {

    @Test
    void without_the_property_nothing_is_counted_and_nothing_happens() {
        assertThat(FailPointActions.parse(null).enabled()).isFalse();
        assertThatCode(() -> FailPoint.hit("any.point")).doesNotThrowAnyException();
        assertThat(FailPoint.counts()).isEmpty();
    }

    @Test
    void with_an_empty_property_hits_are_counted() {
        FailPointActions actions = FailPointActions.parse("");
        actions.hit("a.b");
        actions.hit("a.b");
        assertThat(actions.counts()).containsEntry("a.b", 2L);
    }

    @Test
    void steps_hold_for_their_hits_and_the_last_for_ever() {
        FailPointActions actions = FailPointActions.parse(" a.b = 2*off -> 1*throw(once) -> off ; c.d=throw ");
        actions.hit("a.b");
        actions.hit("a.b");
        assertThatThrownBy(() -> actions.hit("a.b"))
                .isInstanceOf(FailPointException.class)
                .hasMessage("a.b: once");
        actions.hit("a.b");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> actions.hit("c.d")).isInstanceOf(FailPointException.class);
        }
        actions.hit("e.f");
    }

    @Test
    void after_counted_steps_without_a_last_one_nothing_more_happens() {
        FailPointActions actions = FailPointActions.parse("a.b=1*throw(x)");
        assertThatThrownBy(() -> actions.hit("a.b")).isInstanceOf(FailPointException.class);
        actions.hit("a.b");
    }

    @Test
    void a_pause_lasts_until_its_file_exists(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("go");
        FailPointActions actions = FailPointActions.parse("a.b=pause(" + file + ")");
        CompletableFuture<Void> paused = CompletableFuture.runAsync(() -> actions.hit("a.b"));
        assertThatThrownBy(() -> paused.get(80, TimeUnit.MILLISECONDS))
                .isInstanceOf(java.util.concurrent.TimeoutException.class);
        Files.createFile(file);
        paused.get(10, TimeUnit.SECONDS);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b",
                "=off",
                "a.b=",
                "a.b=explode",
                "a.b=sleep",
                "a.b=sleep(soon)",
                "a.b=halt(now)",
                "a.b=pause",
                "a.b=pause()",
                "a.b=1*",
                "a.b=-1*off",
                "a.b=off->",
                "a.b=sleep(5"
            })
    void what_is_not_the_grammar_is_refused_when_it_is_read(String setting) {
        assertThatThrownBy(() -> FailPointActions.parse(setting)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_control_file_arms_and_disarms_a_running_process(@TempDir Path directory) throws Exception {
        Path control = directory.resolve("control");
        FailPointActions actions = FailPointActions.controlledBy(control);
        actions.hit("a.b");
        replace(control, "a.b=1*off->1*throw(x)");
        actions.hit("a.b");
        assertThatThrownBy(() -> actions.hit("a.b")).isInstanceOf(FailPointException.class);
        replace(control, "a.b=throw(again)");
        assertThatThrownBy(() -> actions.hit("a.b")).hasMessage("a.b: again");
        replace(control, "");
        actions.hit("a.b");
        assertThat(actions.counts()).containsEntry("a.b", 5L);
    }

    private static void replace(Path file, String text) throws Exception {
        Path written = Files.createTempFile(file.getParent(), "new", "");
        Files.writeString(written, text);
        Files.move(written, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
