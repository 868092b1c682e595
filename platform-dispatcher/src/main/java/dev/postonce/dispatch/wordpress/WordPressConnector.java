package dev.postonce.dispatch.wordpress;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.account.WordPressAccount;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.connector.Effect;
import dev.postonce.dispatch.connector.FrozenRequest;
import dev.postonce.dispatch.connector.Job;
import dev.postonce.dispatch.connector.LookUp;
import dev.postonce.dispatch.connector.Outcome;
import dev.postonce.dispatch.connector.Recovery;
import dev.postonce.dispatch.connector.SendGuard;
import dev.postonce.runtime.http.SafeHttpClient;
import java.time.Duration;
import java.time.InstantSource;

/**
 * WordPress over its REST API. It has no key to dedupe by, and two creates of one slug make two posts; but it can be
 * asked: each post carries our marker in a comment, which its search finds.
 */
public final class WordPressConnector implements Connector {

    private final SafeHttpClient http;
    private final InstantSource clock;
    private final Duration settling;

    /** @param settling how long after the last byte of a request the site may still act on it */
    public WordPressConnector(SafeHttpClient http, InstantSource clock, Duration settling) {
        this.http = http;
        this.clock = clock;
        this.settling = settling;
    }

    @Override
    public Platform platform() {
        return Platform.WORDPRESS;
    }

    @Override
    public Recovery recovery() {
        return new Recovery.CanBeAsked(settling);
    }

    @Override
    public FrozenRequest freeze(Effect effect, Account account) {
        return WordPressRequests.of(effect, (WordPressAccount) account);
    }

    @Override
    public Outcome send(Job job, Account account, SendGuard guard) {
        WordPressSite site = site(account);
        return switch (job.action()) {
            case CREATE -> new WordPressCreate(site, job).send(guard);
            case UPDATE, WITHDRAW -> new WordPressEdit(site, job).send(guard);
        };
    }

    @Override
    public LookUp ask(Job job, Account account) {
        WordPressSite site = site(account);
        return switch (job.action()) {
            case CREATE -> new WordPressCreate(site, job).ask();
            case UPDATE, WITHDRAW -> new WordPressEdit(site, job).ask();
        };
    }

    private WordPressSite site(Account account) {
        return new WordPressSite(http, clock, (WordPressAccount) account);
    }
}
