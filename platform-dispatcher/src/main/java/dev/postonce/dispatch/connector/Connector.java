package dev.postonce.dispatch.connector;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.Account;

/** One platform. Safe for use by several threads; keeps nothing between two calls that the ledger does not know. */
public interface Connector {

    Platform platform();

    Recovery recovery();

    /** Makes the request, the same bytes for the same effect. No I/O. */
    FrozenRequest freeze(Effect effect, Account account);

    /**
     * Sends once. Look-ups before it are the connector's own business.
     *
     * @param guard if it says no, the answer is {@link Outcome.NotSent}
     */
    Outcome send(Job job, Account account, SendGuard guard);

    /** Asks what an attempt did; only called where {@link #recovery} says that the platform can be asked. */
    LookUp ask(Job job, Account account);
}
