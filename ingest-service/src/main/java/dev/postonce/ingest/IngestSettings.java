package dev.postonce.ingest;

import java.time.Duration;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What can be set; docs/names.md lists the environment variables behind each.
 *
 * @param instance name of this process, for audits and leases
 * @param keyPepper mixed into the digests of API keys; the same in index-consumer
 * @param secretsKey base64 of the 32 bytes under which callback secrets are kept; empty where no tenant has one
 * @param bootstrapFile JSON of the first tenants; empty for none
 * @param allowLoopback whether callback and cover URLs may be plain http and loopback
 * @param bodyBytesMax longest request body
 * @param keyRetention how long an Idempotency-Key is remembered
 * @param keyCacheTtl how long an API key's row is believed before it is read again
 * @param ratePerSecond requests of a key that has no rate of its own; 0 means no limit
 */
@ConfigurationProperties("postonce")
public record IngestSettings(
        @DefaultValue("") String instance,
        @DefaultValue("") String keyPepper,
        @DefaultValue("") String secretsKey,
        @DefaultValue("") String bootstrapFile,
        @DefaultValue("false") boolean allowLoopback,
        @DefaultValue("1048576") int bodyBytesMax,
        @DefaultValue("7d") Duration keyRetention,
        @DefaultValue("5s") Duration keyCacheTtl,
        @DefaultValue("5000") int ratePerSecond) {

    private static final int PEPPER_CHARACTERS_MIN = 16;

    public IngestSettings {
        if (keyPepper.length() < PEPPER_CHARACTERS_MIN) {
            throw new IllegalArgumentException("POSTONCE_KEY_PEPPER must have at least " + PEPPER_CHARACTERS_MIN
                    + " characters; ingest-service does not start without it. Set the same value for index-consumer.");
        }
    }

    /** Keeps what is secret out of logs that print settings. */
    @Override
    public String toString() {
        return "IngestSettings[instance=" + instance + "]";
    }
}
