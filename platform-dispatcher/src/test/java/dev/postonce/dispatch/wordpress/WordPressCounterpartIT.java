package dev.postonce.dispatch.wordpress;

import java.time.Duration;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The same against a real WordPress on loopback; see docs/names.md for the three properties. */
@EnabledIfSystemProperty(named = "postonce.counterpart.wordpress.url", matches = "http.+")
class WordPressCounterpartIT extends WordPressConnectorContract {

    @Override
    String baseUrl() {
        return System.getProperty("postonce.counterpart.wordpress.url").replaceAll("/+$", "");
    }

    @Override
    String username() {
        return System.getProperty("postonce.counterpart.wordpress.user", "admin");
    }

    @Override
    String password() {
        return System.getProperty("postonce.counterpart.wordpress.password", "");
    }

    @Override
    Duration timeout() {
        return Duration.ofSeconds(5);
    }
}
