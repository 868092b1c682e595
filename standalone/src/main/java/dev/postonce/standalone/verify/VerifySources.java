package dev.postonce.standalone.verify;

import dev.postonce.runtime.Secret;
import dev.postonce.standalone.DevKeys;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.StandaloneHome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where to read.
 *
 * @param indexUrls replicas to compare; empty reads none
 * @param sandboxUrl null reads no posts
 * @param opsKey a key with scope {@code ops}; null reads no replicas
 * @param tenantId whom the key belongs to; a replica gives that tenant's entries only
 */
public record VerifySources(
        String databaseUrl,
        Secret databasePassword,
        String kafkaBootstrap,
        List<String> indexUrls,
        @Nullable String sandboxUrl,
        @Nullable Secret opsKey,
        @Nullable String tenantId) {

    /** The role that may read everything, and write nothing. */
    static final String DATABASE_USER = "postonce_verify";

    public VerifySources {
        indexUrls = List.copyOf(indexUrls);
    }

    public static VerifySources of(StandaloneHome home) {
        DevKeys keys = home.devKeys();
        return new VerifySources(
                home.ports().databaseUrl(),
                home.databasePassword(),
                home.ports().kafkaBootstrap(),
                List.of(home.ports().url(Part.INDEX)),
                home.ports().url(Part.SANDBOX),
                keys.apiKey(),
                keys.tenant());
    }
}
