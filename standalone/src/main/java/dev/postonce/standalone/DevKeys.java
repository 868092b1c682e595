package dev.postonce.standalone;

import dev.postonce.runtime.Secret;

/**
 * What a client of the development tenant needs; {@code POSTONCE_HOME/dev-keys.json}, readable by its owner only.
 *
 * @param callbackSecret signs the callbacks of this tenant, {@code whsec_…}
 * @param callbackSinkUrl a callback URL at the sandbox, which keeps what it gets
 */
public record DevKeys(
        String tenant,
        Secret apiKey,
        Secret callbackSecret,
        String apiUrl,
        String searchUrl,
        String sandboxUrl,
        String callbackSinkUrl) {}
