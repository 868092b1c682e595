package dev.postonce.ingest.tenant;

import dev.postonce.contract.Digests;
import dev.postonce.contract.EventEnvelope;
import dev.postonce.contract.EventJson;
import dev.postonce.contract.EventType;
import dev.postonce.contract.KeyState;
import dev.postonce.contract.RecordKey;
import dev.postonce.messaging.OutboxAppender;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Ids;
import dev.postonce.runtime.Secret;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.support.TransactionTemplate;

/** Issues and revokes API keys; each change is an event, so that other services can authenticate by themselves. */
public final class ApiKeys {

    private final JdbcTenants tenants;
    private final OutboxAppender outbox;
    private final TransactionTemplate transactions;
    private final Ids ids;
    private final InstantSource clock;
    private final Secret pepper;

    public ApiKeys(
            JdbcTenants tenants,
            OutboxAppender outbox,
            TransactionTemplate transactions,
            Ids ids,
            InstantSource clock,
            Secret pepper) {
        this.tenants = tenants;
        this.outbox = outbox;
        this.transactions = transactions;
        this.ids = ids;
        this.clock = clock;
        this.pepper = pepper;
    }

    /** Stores a key, in the caller's transaction. Does nothing where the same key with the same rights is there. */
    void issue(String tenantId, String clientId, List<String> scopes, ApiKeyToken token) {
        Optional<StoredKey> known = tenants.key(token.keyId());
        String digest = token.digest(pepper);
        if (known.isPresent() && !known.get().tenantId().equals(tenantId)) {
            throw new IllegalStateException(
                    "key id " + token.keyId() + " belongs to another tenant; generate a new key for " + tenantId);
        }
        boolean same = known.isPresent()
                && known.get().clientId().equals(clientId)
                && known.get().scopes().equals(scopes)
                && known.get().secretDigest().equals(digest);
        // A revoked key stays revoked, whatever the bootstrap file still says.
        boolean revoked = known.isPresent() && known.get().deleted();
        if (same || revoked) {
            return;
        }
        long version = known.map(StoredKey::version).orElse(0L) + 1;
        store(new StoredKey(tenantId, token.keyId(), clientId, version, false, digest, scopes, null));
    }

    /** Stores one that was never there, in the caller's transaction. */
    void create(
            String tenantId, String clientId, List<String> scopes, ApiKeyToken token, @Nullable Integer ratePerSecond) {
        store(new StoredKey(tenantId, token.keyId(), clientId, 1, false, token.digest(pepper), scopes, ratePerSecond));
    }

    /** Whether there was such a key that was not revoked yet. */
    public boolean revoke(String tenantId, String keyId) {
        return Boolean.TRUE.equals(transactions.execute(status -> {
            tenants.takeTurns();
            Optional<StoredKey> known =
                    tenants.key(keyId).filter(key -> key.tenantId().equals(tenantId) && !key.deleted());
            known.ifPresent(key -> store(key.revoked()));
            return known.isPresent();
        }));
    }

    /** In the caller's transaction. */
    void revoke(StoredKey key) {
        store(key.revoked());
    }

    private void store(StoredKey key) {
        tenants.saveKey(key);
        KeyState draft = stateOf(key, "");
        KeyState state = stateOf(key, Digests.ofState(draft));
        outbox.append(
                EventType.KEY_STATE.topic(),
                List.of(new EventEnvelope(
                        ids.next(),
                        EventType.KEY_STATE.ceType(),
                        "/postonce/ingest",
                        key.keyId(),
                        clock.instant(),
                        new RecordKey(key.tenantId(), key.keyId()),
                        key.version(),
                        null,
                        EventJson.write(state))));
    }

    private static KeyState stateOf(StoredKey key, String digest) {
        return new KeyState(
                key.tenantId(),
                key.keyId(),
                key.version(),
                key.deleted(),
                key.clientId(),
                key.secretDigest(),
                key.scopes(),
                digest);
    }
}
