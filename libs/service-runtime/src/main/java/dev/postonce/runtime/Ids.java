package dev.postonce.runtime;

import com.github.f4b6a3.uuid.UuidCreator;
import java.util.UUID;

/** Where ids come from; a test gives its own. */
@FunctionalInterface
public interface Ids {

    /** A new UUIDv7 (RFC 9562): unique, and rising with time, so that indexes stay compact. */
    UUID next();

    static Ids random() {
        return UuidCreator::getTimeOrderedEpoch;
    }
}
