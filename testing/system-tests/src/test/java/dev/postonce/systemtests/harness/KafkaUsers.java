package dev.postonce.systemtests.harness;

import dev.postonce.standalone.PrivateFiles;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Who the brokers know: each client of theirs by a name and a password of its own. */
public final class KafkaUsers {

    private static final int PASSWORD_BYTES = 32;
    private static final String LOGIN = "org.apache.kafka.common.security.plain.PlainLoginModule required ";

    private final Path directory;
    private final Map<String, String> passwords = new LinkedHashMap<>();

    KafkaUsers(Path directory, List<String> clients) {
        this.directory = directory;
        PrivateFiles.directory(directory);
        byte[] bytes = new byte[PASSWORD_BYTES];
        SecureRandom random = new SecureRandom();
        for (String client : clients) {
            random.nextBytes(bytes);
            String password = HexFormat.of().formatHex(bytes);
            passwords.put(client, password);
            PrivateFiles.write(
                    clientConfig(client),
                    """
                    security.protocol=SASL_PLAINTEXT
                    sasl.mechanism=PLAIN
                    sasl.jaas.config=%susername="%s" password="%s";
                    """
                            .formatted(LOGIN, client, password));
        }
        knowAll();
    }

    /** For POSTONCE_KAFKA_CLIENT_CONFIG. */
    Path clientConfig(String client) {
        return directory.resolve("kafka-" + client + ".properties");
    }

    /** What a listener asks by. */
    String serverJaas() {
        return LOGIN + FileUsers.FILE + "=\"" + file().toAbsolutePath() + "\";";
    }

    /** From their next connection on. */
    public void forgetAll() {
        PrivateFiles.write(file(), "");
    }

    public void knowAll() {
        PrivateFiles.write(
                file(),
                passwords.entrySet().stream()
                        .map(entry -> entry.getKey() + "=" + entry.getValue() + "\n")
                        .collect(Collectors.joining()));
    }

    /** None may stand in a log. */
    public List<String> passwords() {
        return List.copyOf(passwords.values());
    }

    private Path file() {
        return directory.resolve("kafka-users.properties");
    }
}
