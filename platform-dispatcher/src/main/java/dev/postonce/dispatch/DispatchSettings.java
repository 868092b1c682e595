package dev.postonce.dispatch;

import dev.postonce.dispatch.ledger.ClaimLoop;
import dev.postonce.dispatch.ledger.DispatcherFactory;
import dev.postonce.dispatch.ledger.LedgerSettings;
import dev.postonce.dispatch.target.RetryDelays;
import java.time.Duration;
import java.util.Set;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The settings of docs/names.md; milliseconds where the name says so. */
@ConfigurationProperties("postonce.dispatch")
public record DispatchSettings(
        @DefaultValue("") String instance,
        @DefaultValue("127.0.0.1:9092") String kafkaBootstrap,
        @DefaultValue("") String kafkaClientConfig,
        @DefaultValue("") String accountsFile,
        @DefaultValue("false") boolean allowLoopback,
        @DefaultValue Set<String> trustedHosts,
        @DefaultValue Sending sending,
        @DefaultValue Leases leases,
        @DefaultValue Doubt doubt) {

    /**
     * @param timeoutMs from the first byte of a request to the last of its answer
     * @param retryMinMs first delay after a try that certainly had no effect
     * @param triesMax in a row, before a target fails
     */
    public record Sending(
            @DefaultValue("8") int workers,
            @DefaultValue("4") int accountWorkers,
            @DefaultValue("20000") long timeoutMs,
            @DefaultValue("1000") long retryMinMs,
            @DefaultValue("300000") long retryMaxMs,
            @DefaultValue("200") int triesMax,
            @DefaultValue("1") int consumers) {}

    /**
     * @param pollMs between two looks at an idle table
     * @param shutdownMs for what runs when the process is told to stop
     * @param sessionMs after which what a silent process read of Kafka is another's
     */
    public record Leases(
            @DefaultValue("60000") long leaseMs,
            @DefaultValue("5000") long heartbeatMs,
            @DefaultValue("30000") long staleMs,
            @DefaultValue("500") long pollMs,
            @DefaultValue("25000") long shutdownMs,
            @DefaultValue("10000") int sessionMs) {}

    /**
     * @param settlingMs how long after the last byte a platform may still act on a request
     * @param askFirstMs until the first look-up after an unknown outcome
     * @param reaskMs between two look-ups of what waits for a person
     * @param maxMs after which an attempt that cannot be settled is shown to a person
     * @param webhookWindowMs for how long receivers remember a webhook-id
     */
    public record Doubt(
            @DefaultValue("120000") long settlingMs,
            @DefaultValue("1000") long askFirstMs,
            @DefaultValue("300000") long reaskMs,
            @DefaultValue("3600000") long maxMs,
            @DefaultValue("86400000") long webhookWindowMs) {}

    DispatcherFactory.Behaviour behaviour() {
        LedgerSettings ledger = new LedgerSettings(
                Duration.ofMillis(leases.leaseMs()),
                Duration.ofMillis(leases.heartbeatMs()),
                Duration.ofMillis(leases.staleMs()),
                Duration.ofMillis(doubt.askFirstMs()),
                Duration.ofMillis(doubt.reaskMs()),
                Duration.ofMillis(doubt.maxMs()));
        ClaimLoop.Bounds bounds = new ClaimLoop.Bounds(
                sending.workers(),
                sending.accountWorkers(),
                Duration.ofMillis(leases.pollMs()),
                Duration.ofMillis(leases.shutdownMs()));
        RetryDelays delays =
                new RetryDelays(Duration.ofMillis(sending.retryMinMs()), Duration.ofMillis(sending.retryMaxMs()));
        return new DispatcherFactory.Behaviour(
                ledger, bounds, delays, Duration.ofMillis(doubt.askFirstMs()), sending.triesMax());
    }
}
