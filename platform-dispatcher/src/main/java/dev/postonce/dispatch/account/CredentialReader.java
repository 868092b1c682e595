package dev.postonce.dispatch.account;

import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Credentials by reference: {@code file:/path} or {@code env:NAME}. A credential that stands in the accounts file
 * itself is taken on a development machine only.
 */
public final class CredentialReader {

    private static final int CREDENTIAL_CHARACTERS_MAX = 4096;

    private final EnvironmentLookUp environment;
    private final boolean allowPlain;

    /** Gives the value of an environment variable, or null. */
    @FunctionalInterface
    public interface EnvironmentLookUp {
        @Nullable
        String get(String name);
    }

    public CredentialReader(EnvironmentLookUp environment, boolean allowPlain) {
        this.environment = environment;
        this.allowPlain = allowPlain;
    }

    Secret read(String reference) {
        if (reference.startsWith("file:")) {
            return fromFile(reference.substring("file:".length()));
        }
        if (reference.startsWith("env:")) {
            String name = reference.substring("env:".length());
            String value = environment.get(name);
            if (value == null || value.isBlank()) {
                throw new MissingCredentialException("the environment variable " + name + " is not set");
            }
            return checked(value, name);
        }
        if (!allowPlain) {
            throw new MissingCredentialException(
                    "a credential in plain text is not taken; refer to it by file: or env:");
        }
        return checked(reference, "the accounts file");
    }

    private static Secret fromFile(String name) {
        try {
            return checked(Files.readString(Path.of(name)).strip(), name);
        } catch (IOException | InvalidPathException e) {
            throw new MissingCredentialException("the credential's file " + name + " cannot be read");
        }
    }

    private static Secret checked(String value, String where) {
        if (value.isEmpty() || value.length() > CREDENTIAL_CHARACTERS_MAX) {
            throw new MissingCredentialException("the credential in " + where + " is empty or too long");
        }
        return Secret.of(value);
    }

    /** Says where a credential should have been; never what it is. */
    static final class MissingCredentialException extends RuntimeException {
        private static final long serialVersionUID = 1;

        MissingCredentialException(String message) {
            super(message);
        }
    }
}
