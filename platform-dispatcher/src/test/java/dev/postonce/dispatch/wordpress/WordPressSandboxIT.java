package dev.postonce.dispatch.wordpress;

import dev.postonce.dispatch.testkit.Sandbox;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class WordPressSandboxIT extends WordPressConnectorContract {

    private static Sandbox sandbox;

    @BeforeAll
    static void start() {
        sandbox = new Sandbox();
    }

    @AfterAll
    static void stop() {
        sandbox.close();
    }

    @Override
    String baseUrl() {
        return sandbox.url() + "/wordpress/main";
    }

    @Override
    String username() {
        return "postonce";
    }

    @Override
    String password() {
        return "postonce-sandbox";
    }
}
