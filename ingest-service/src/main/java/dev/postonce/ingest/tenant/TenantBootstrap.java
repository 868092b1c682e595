package dev.postonce.ingest.tenant;

import dev.postonce.ingest.tenant.BootstrapFile.Key;
import dev.postonce.ingest.tenant.BootstrapFile.Tenant;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.transaction.support.TransactionTemplate;

/** Makes the first tenants from a file, at each start; what is there already stays as it is. */
public final class TenantBootstrap {

    private static final Logger LOG = LoggerFactory.getLogger(TenantBootstrap.class);

    private final JdbcTenants tenants;
    private final JdbcTenantPolicies policies;
    private final ApiKeys keys;
    private final SecretCipher cipher;
    private final TransactionTemplate transactions;

    public TenantBootstrap(
            JdbcTenants tenants,
            JdbcTenantPolicies policies,
            ApiKeys keys,
            SecretCipher cipher,
            TransactionTemplate transactions) {
        this.tenants = tenants;
        this.policies = policies;
        this.keys = keys;
        this.cipher = cipher;
        this.transactions = transactions;
    }

    /** @param file as {@code POSTONCE_BOOTSTRAP_FILE} gives it; empty does nothing */
    public void run(String file) {
        if (file.isEmpty()) {
            return;
        }
        Path path = Path.of(file);
        BootstrapFile content = read(path);
        transactions.executeWithoutResult(status -> {
            tenants.takeTurns();
            content.tenants().forEach(this::make);
        });
        LOG.info(
                "{} tenants of POSTONCE_BOOTSTRAP_FILE are there",
                content.tenants().size());
    }

    private static BootstrapFile read(Path path) {
        try {
            warnIfOthersMayRead(path);
            return BootstrapFile.read(path);
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "POSTONCE_BOOTSTRAP_FILE cannot be read; ingest-service does not start without it", e);
        }
    }

    private static void warnIfOthersMayRead(Path path) throws IOException {
        Set<PosixFilePermission> permissions;
        try {
            permissions = Files.getPosixFilePermissions(path);
        } catch (UnsupportedOperationException e) {
            return;
        }
        if (permissions.contains(PosixFilePermission.OTHERS_READ)
                || permissions.contains(PosixFilePermission.GROUP_READ)) {
            LOG.warn("POSTONCE_BOOTSTRAP_FILE holds keys and can be read by others; give it mode 0600");
        }
    }

    private void make(Tenant tenant) {
        tenants.save(tenant);
        if (tenant.policy() != null) {
            policies.save(tenant.tenantId(), tenant.policy());
        }
        for (Key key : tenant.keys()) {
            keys.issue(tenant.tenantId(), key.clientId(), key.scopes(), key.token());
        }
        Secret secret = tenant.callbackSecret();
        if (secret != null) {
            keepCallbackSecret(tenant.tenantId(), secret);
        }
    }

    private void keepCallbackSecret(String tenantId, Secret secret) {
        String purpose = purposeOf(tenantId);
        Optional<byte[]> known = tenants.callbackSecret(tenantId);
        if (known.isEmpty() || !cipher.decrypt(known.get(), purpose).equals(secret)) {
            tenants.saveCallbackSecret(tenantId, cipher.encrypt(secret, purpose));
        }
    }

    /** What a tenant's callback secret is encrypted for. */
    public static String purposeOf(String tenantId) {
        return "callback_secret:" + tenantId;
    }
}
