package dev.postonce.sandbox;

import dev.postonce.sandbox.fault.FaultPlan;
import dev.postonce.sandbox.wordpress.WordPressUser;
import dev.postonce.sandbox.wordpress.WordPressUser.Role;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a sandbox is started.
 *
 * @param directory where the journal lives; null = a temporary file, gone with the sandbox
 * @param users the accounts of each WordPress site
 * @param faults from the start on
 * @param raceWindow how long WordPress takes between looking for a free slug and taking it
 */
public record SandboxConfig(
        Listen listen,
        @Nullable Path directory,
        List<WordPressUser> users,
        Secrets secrets,
        FaultPlan faults,
        Duration raceWindow,
        InstantSource clock) {

    public static final String DEFAULT_USER = "postonce";
    public static final String DEFAULT_PASSWORD = "postonce-sandbox";
    public static final Duration DEFAULT_RACE_WINDOW = Duration.ofMillis(3);

    /**
     * Where it is reached.
     *
     * @param port 0 = any free one
     * @param publicUrl how its links begin; null = the address and port listened on
     */
    public record Listen(String address, int port, @Nullable String publicUrl, boolean allowReset) {}

    /**
     * What signatures are verified with.
     *
     * @param webhook null = they are not looked at; several separated by a space
     */
    public record Secrets(@Nullable String webhook, @Nullable String callback) {
        @Override
        public String toString() {
            return "***";
        }
    }

    public SandboxConfig {
        users = List.copyOf(users);
    }

    /** On a free loopback port, nothing kept, no signature verified: the least that a test needs. */
    public static SandboxConfig forTests() {
        return new SandboxConfig(
                new Listen("127.0.0.1", 0, null, true),
                null,
                List.of(new WordPressUser(1, DEFAULT_USER, DEFAULT_PASSWORD, Role.ADMINISTRATOR)),
                new Secrets(null, null),
                FaultPlan.NONE,
                DEFAULT_RACE_WINDOW,
                InstantSource.system());
    }

    public SandboxConfig withDirectory(Path newDirectory) {
        return new SandboxConfig(listen, newDirectory, users, secrets, faults, raceWindow, clock);
    }

    public SandboxConfig withPort(int port) {
        Listen there = new Listen(listen.address(), port, listen.publicUrl(), listen.allowReset());
        return new SandboxConfig(there, directory, users, secrets, faults, raceWindow, clock);
    }

    public SandboxConfig withUsers(WordPressUser... newUsers) {
        return new SandboxConfig(listen, directory, List.of(newUsers), secrets, faults, raceWindow, clock);
    }

    public SandboxConfig withSecrets(@Nullable String webhook, @Nullable String callback) {
        return new SandboxConfig(listen, directory, users, new Secrets(webhook, callback), faults, raceWindow, clock);
    }

    public SandboxConfig withFaults(FaultPlan newFaults) {
        return new SandboxConfig(listen, directory, users, secrets, newFaults, raceWindow, clock);
    }

    public SandboxConfig withRaceWindow(Duration window) {
        return new SandboxConfig(listen, directory, users, secrets, faults, window, clock);
    }

    public SandboxConfig withClock(InstantSource newClock) {
        return new SandboxConfig(listen, directory, users, secrets, faults, raceWindow, newClock);
    }
}
