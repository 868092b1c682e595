package dev.postonce.dispatch.ledger;

import dev.postonce.contract.Platform;
import dev.postonce.dispatch.account.Account;
import dev.postonce.dispatch.account.AccountBook;
import dev.postonce.dispatch.connector.Connector;
import dev.postonce.dispatch.target.TargetId;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The connectors that there are, and the accounts to use them with. */
public final class Platforms {

    private final Map<Platform, Connector> connectors = new EnumMap<>(Platform.class);
    private final AccountBook accounts;

    public Platforms(List<Connector> connectors, AccountBook accounts) {
        connectors.forEach(connector -> this.connectors.put(connector.platform(), connector));
        this.accounts = accounts;
    }

    Optional<Connector> connector(Platform platform) {
        return Optional.ofNullable(connectors.get(platform));
    }

    public AccountBook.Choice choose(TargetId id, String groupCode) {
        return connectors.containsKey(id.platform())
                ? accounts.choose(id.tenantId(), groupCode, id.platform())
                : new AccountBook.Choice.Missing("connector_missing");
    }

    Optional<Account> named(TargetId id, String account) {
        return connectors.containsKey(id.platform())
                ? accounts.named(id.tenantId(), id.platform(), account)
                : Optional.empty();
    }
}
