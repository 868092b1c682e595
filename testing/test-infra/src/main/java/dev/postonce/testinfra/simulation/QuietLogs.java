package dev.postonce.testinfra.simulation;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/** Thousands of runs full of faults: what they log tells nobody anything. A seed's own story is in its failure. */
public final class QuietLogs implements BeforeAllCallback, AfterAllCallback {

    private static final String OURS = "dev.postonce";

    @Override
    public void beforeAll(ExtensionContext context) {
        ours().setLevel(Level.OFF);
    }

    @Override
    public void afterAll(ExtensionContext context) {
        ours().setLevel(null);
    }

    private static Logger ours() {
        return (Logger) LoggerFactory.getLogger(OURS);
    }
}
