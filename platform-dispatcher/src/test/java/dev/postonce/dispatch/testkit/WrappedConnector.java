package dev.postonce.dispatch.testkit;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.connector.SendGuard;

/** Passes everything on; a test changes one thing. */
public class WrappedConnector implements Connector {
    private final Connector inner;

    public WrappedConnector(Connector inner) {
        this.inner = inner;
    }

    @Override
    public Platform platform() {
        return inner.platform();
    }

    @Override
    public Recovery recovery() {
        return inner.recovery();
    }

    @Override
    public FrozenRequest freeze(Effect effect, Account account) {
        return inner.freeze(effect, account);
    }

    @Override
    public Outcome send(Job job, Account account, SendGuard guard) {
        return inner.send(job, account, guard);
    }

    @Override
    public LookUp ask(Job job, Account account) {
        return inner.ask(job, account);
    }
}
