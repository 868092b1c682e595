package dev.postonce.dispatch.ledger;

import dev.postonce.dispatch.ledger.EffectLedger.LedgerTables;
import dev.postonce.dispatch.target.RetryDelays;
import dev.postonce.dispatch.target.Targets;
import dev.postonce.dispatch.target.Tasks;
import dev.postonce.runtime.Ids;
import java.time.Duration;
import java.time.InstantSource;
import java.util.random.RandomGenerator;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** Puts the ledger's parts together; the parts stay this package's own business. */
public final class DispatcherFactory {

    private DispatcherFactory() {}

    /** Where the ledger lies. */
    public record Database(JdbcTemplate jdbc, TransactionTemplate transactions, Targets targets, Tasks tasks) {}

    /** How it behaves. */
    public record Behaviour(
            LedgerSettings ledger, ClaimLoop.Bounds bounds, RetryDelays delays, Duration askFirst, int triesMax) {}

    /** What tests replace. */
    public record Ambience(Ids ids, InstantSource clock, RandomGenerator random) {}

    public static Dispatcher create(
            Database database,
            Platforms platforms,
            JdbcInstances instances,
            Behaviour behaviour,
            Ambience ambience,
            DispatchMeters meters) {
        JdbcTemplate jdbc = database.jdbc();
        LedgerTables tables = new LedgerTables(database.targets(), database.tasks(), new JdbcAttempts(jdbc));
        InFlight inFlight = new InFlight();
        LedgerSettings settings = behaviour.ledger();
        EffectLedger ledger = new EffectLedger(
                database.transactions(), tables, platforms, instances, inFlight, settings, ambience.ids());
        OutcomeRules rules =
                new OutcomeRules(behaviour.delays(), behaviour.askFirst(), behaviour.triesMax(), ambience.random());
        OutcomeRecorder recorder = new OutcomeRecorder(
                database.transactions(), tables, platforms, rules, settings, behaviour.delays(), ambience.random());
        TargetWorker worker = new TargetWorker(ledger, recorder, inFlight, meters, ambience.clock());
        JdbcLeases leases = new JdbcLeases(jdbc);
        ClaimLoop claims = new ClaimLoop(leases, worker, instances.id(), settings.lease(), behaviour.bounds());
        return new Dispatcher(instances, leases, inFlight, claims, settings, new JdbcLedgerSamples(jdbc), meters);
    }
}
