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
 * @param services whose meters are compared; empty asks none
 */
public record VerifySources(
        String databaseUrl,
        Secret databasePassword,
        String kafkaBootstrap,
        List<String> indexUrls,
        @Nullable String sandboxUrl,
        @Nullable Secret opsKey,
        @Nullable String tenantId,
        List<Service> services) {

    /** A process of ours that tells its meters. */
    public record Service(Part part, String url) {}

    /** The role that may read everything, and write nothing. */
    static final String DATABASE_USER = "postonce_verify";

    private static final List<Part> METERED = List.of(Part.INGEST, Part.RELAY, Part.INDEX, Part.DISPATCHER);

    public VerifySources {
        indexUrls = List.copyOf(indexUrls);
        services = List.copyOf(services);
    }

    public VerifySources withServices(List<Service> these) {
        return new VerifySources(
                databaseUrl, databasePassword, kafkaBootstrap, indexUrls, sandboxUrl, opsKey, tenantId, these);
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
                keys.tenant(),
                METERED.stream()
                        .map(part -> new Service(part, home.ports().url(part)))
                        .toList());
    }
}
