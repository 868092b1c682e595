package dev.postonce.dispatch.account;

import dev.postonce.runtime.Secret;
import java.net.URI;

/** @param secret {@code whsec_} and base64 */
public record WebhookAccount(String name, URI url, Secret secret) implements Account {}
