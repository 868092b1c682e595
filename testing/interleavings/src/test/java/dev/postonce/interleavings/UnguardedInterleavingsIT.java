package dev.postonce.interleavings;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.jetbrains.lincheck.datastructures.Operation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the tester: a count that is looked at and then raised, without a lock, must be found. */
@Tag("parts")
public class UnguardedInterleavingsIT {

    private final Map<String, Integer> busy = new HashMap<>();

    @Operation
    public boolean enter() {
        int now = busy.getOrDefault("lane", 0);
        if (now >= 2) {
            return false;
        }
        busy.put("lane", now + 1);
        return true;
    }

    @Test
    void a_missing_lock_is_found() {
        assertThatThrownBy(() -> Interleavings.explore(UnguardedInterleavingsIT.class))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("enter");
    }
}
