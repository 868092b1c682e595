package dev.postonce.systemtests.harness;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.login.AppConfigurationEntry;
import org.apache.kafka.common.security.auth.AuthenticateCallbackHandler;
import org.apache.kafka.common.security.plain.PlainAuthenticateCallback;

/**
 * Runs in the brokers: whom they know stands in a file, which is read at each login, so that a test can change it. Kafka's
 * own handler takes names and passwords from the broker's settings, which hold until it is started again.
 */
public final class FileUsers implements AuthenticateCallbackHandler {

    static final String FILE = "users_file";

    private Path file = Path.of("");

    @Override
    public void configure(Map<String, ?> configs, String mechanism, List<AppConfigurationEntry> jaas) {
        file = Path.of(String.valueOf(jaas.get(0).getOptions().get(FILE)));
    }

    @Override
    public void handle(Callback[] callbacks) throws IOException {
        String name = "";
        for (Callback callback : callbacks) {
            if (callback instanceof NameCallback named) {
                name = named.getDefaultName();
            } else if (callback instanceof PlainAuthenticateCallback plain) {
                plain.authenticated(password(name).equals(new String(plain.password())));
            }
        }
    }

    /** Something that nobody can send where the name is unknown. */
    private String password(String name) throws IOException {
        Properties known = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            known.load(reader);
        }
        return known.getProperty(name, "\0");
    }

    @Override
    public void close() {}
}
