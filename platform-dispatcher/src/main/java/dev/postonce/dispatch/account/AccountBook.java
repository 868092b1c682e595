package dev.postonce.dispatch.account;

import dev.postonce.contract.Platform;
import java.util.Optional;

/** Which account a tenant's group code means. */
public interface AccountBook {

    Choice choose(String tenantId, String groupCode, Platform platform);

    /** The account that an attempt or a post belongs to, whatever the group code means by now. */
    Optional<Account> named(String tenantId, Platform platform, String account);

    /** The answer to "where to". */
    sealed interface Choice {

        record Found(Account account) implements Choice {}

        /** @param errorCode {@code account_missing}, {@code credential_missing} */
        record Missing(String errorCode) implements Choice {}
    }
}
