package dev.postonce.runtime;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A value that must not reach a log, a row or an error. Only {@link #reveal} gives it away, and can be searched for. */
public final class Secret {

    private final String value;

    private Secret(String value) {
        this.value = value;
    }

    public static Secret of(String value) {
        return new Secret(value);
    }

    public String reveal() {
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Secret secret
                && MessageDigest.isEqual(
                        value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int hashCode() {
        return Secret.class.hashCode();
    }

    @Override
    public String toString() {
        return "***";
    }
}
