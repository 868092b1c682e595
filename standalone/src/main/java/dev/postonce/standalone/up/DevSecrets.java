package dev.postonce.standalone.up;

import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.runtime.Secret;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * The secrets of one home, one file each, made when first asked for and kept: services remember digests and ciphertexts
 * that belong to them.
 */
final class DevSecrets {

    private static final int BYTES = 32;

    private final Path directory;
    private final RandomGenerator random;

    /** @param random a cryptographically strong source */
    DevSecrets(StandaloneHome home, RandomGenerator random) {
        this.directory = home.secrets();
        this.random = random;
        PrivateFiles.directory(directory);
    }

    /** Hex digits only: it is put into SQL. */
    Secret databasePassword() {
        return kept("database-password", this::hex);
    }

    Secret pepper() {
        return kept("key-pepper", this::hex);
    }

    /** AES-256, base64. */
    Secret secretsKey() {
        return kept("secrets-key", this::base64);
    }

    Secret callbackSecret() {
        return kept("callback-secret", () -> "whsec_" + base64());
    }

    Secret webhookSecret() {
        return kept("webhook-secret", () -> "whsec_" + base64());
    }

    Secret wordPressPassword() {
        return kept("wordpress-password", this::hex);
    }

    Secret apiKey(String environment) {
        return kept("api-key", () -> {
            byte[] id = new byte[6];
            random.nextBytes(id);
            return ApiKeyToken.generate(environment, HexFormat.of().formatHex(id), random)
                    .reveal();
        });
    }

    Path file(String name) {
        return directory.resolve(name);
    }

    private Secret kept(String name, Supplier<String> fresh) {
        Path file = file(name);
        try {
            if (!Files.exists(file)) {
                PrivateFiles.write(file, fresh.get() + "\n");
            }
            return Secret.of(Files.readString(file).strip());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    private String hex() {
        return HexFormat.of().formatHex(bytes());
    }

    private String base64() {
        return Base64.getEncoder().encodeToString(bytes());
    }

    private byte[] bytes() {
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        return bytes;
    }
}
