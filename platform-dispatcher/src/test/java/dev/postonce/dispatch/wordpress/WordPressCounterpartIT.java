package dev.postonce.dispatch.wordpress;

import dev.postonce.dispatch.testkit.RealWordPress;
import java.time.Duration;
import org.junit.jupiter.api.Tag;

/** The same against a real WordPress on loopback, as an administrator; {@code mvn verify -Pcounterparts}. */
@Tag("counterparts")
class WordPressCounterpartIT extends WordPressConnectorContract {

    @Override
    String baseUrl() {
        return RealWordPress.shared().url();
    }

    String role() {
        return "admin";
    }

    @Override
    String username() {
        return RealWordPress.shared().login(role()).user();
    }

    @Override
    String password() {
        return RealWordPress.shared().login(role()).password();
    }

    @Override
    Duration timeout() {
        return Duration.ofSeconds(5);
    }
}
