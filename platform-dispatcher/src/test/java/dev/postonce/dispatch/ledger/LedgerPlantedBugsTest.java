package dev.postonce.dispatch.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.dispatch.ledger.EffectLedger.LedgerTables;
import dev.postonce.dispatch.ledger.LedgerWorld.Sabotage;
import dev.postonce.dispatch.target.TargetId;
import dev.postonce.dispatch.target.Targets;
import dev.postonce.testinfra.simulation.QuietLogs;
import dev.postonce.testinfra.simulation.Seeds;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tests the tester: each bug, put in the place of a right part, must be found within a few seeds. */
@ExtendWith(QuietLogs.class)
class LedgerPlantedBugsTest {

    private static final int SEEDS_MAX = Integer.getInteger("postonce.simulation.planted", 20);

    @Test
    void planted_an_attempt_that_is_not_written_before_its_bytes_leave_is_caught() {
        caught(
                "no write-ahead",
                Sabotage.of(tables -> new LedgerTables(
                        tables.targets(), tables.tasks(), without(Attempts.class, tables.attempts(), "insert"))));
    }

    @Test
    void planted_a_lease_without_a_token_is_caught() {
        caught("lease without a token", Sabotage.of(tables -> unfenced(tables)));
    }

    @Test
    void planted_a_stopped_heartbeat_that_counts_as_the_sender_s_end_is_caught() {
        caught("silence counts as proof", new Sabotage(UnaryOperator.identity(), true, false, false));
    }

    @Test
    void planted_an_automatic_retry_after_an_unknown_outcome_is_caught() {
        caught("automatic retry after unknown", new Sabotage(UnaryOperator.identity(), false, true, false));
    }

    @Test
    void planted_an_absence_that_does_not_wait_for_the_platform_to_settle_is_caught() {
        caught("absence without settling", new Sabotage(UnaryOperator.identity(), false, false, true));
    }

    @Test
    void a_seed_that_fails_fails_the_same_way_each_time() {
        Sabotage bug = new Sabotage(UnaryOperator.identity(), false, true, false);
        long seed = Seeds.firstThatFails(simulation -> LedgerWorld.run(simulation, bug), SEEDS_MAX)
                .orElseThrow();
        assertThat(Seeds.failuresOf(simulation -> LedgerWorld.run(simulation, bug), seed, 10))
                .singleElement()
                .asString()
                .startsWith("seed " + seed + ": ")
                .contains("repeat with -Dpostonce.simulation.seed=" + seed);
    }

    private static LedgerTables unfenced(LedgerTables tables) {
        SimulatedTables all = (SimulatedTables) tables.targets();
        Targets blind = replacing(Targets.class, tables.targets(), "lockLeased", arguments -> {
            SimulatedTables.TargetRow row = all.targets.get((TargetId) arguments[0]);
            return row == null ? Optional.empty() : all.lockLeased(row.target().id(), row.token());
        });
        return new LedgerTables(blind, tables.tasks(), tables.attempts());
    }

    private interface Answer {
        Object give(Object[] arguments);
    }

    private static <T> T without(Class<T> type, T right, String method) {
        return replacing(type, right, method, arguments -> UUID.class);
    }

    private static <T> T replacing(Class<T> type, T right, String method, Answer answer) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method)) {
                        Object given = answer.give(arguments);
                        return called.getReturnType() == void.class ? null : given;
                    }
                    try {
                        return called.invoke(right, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    private static void caught(String bug, Sabotage sabotage) {
        OptionalLong seeds = Seeds.firstThatFails(simulation -> LedgerWorld.run(simulation, sabotage), SEEDS_MAX);
        System.out.println("planted: " + bug + ": caught by seed " + seeds);
        assertThat(seeds).as(bug + " within " + SEEDS_MAX + " seeds").isPresent();
    }
}
