package dev.postonce.dispatch.account;

import dev.postonce.runtime.Secret;

/**
 * @param baseUrl of the site, without a slash at its end
 * @param password an application password
 */
public record WordPressAccount(String name, String baseUrl, String username, Secret password) implements Account {}
