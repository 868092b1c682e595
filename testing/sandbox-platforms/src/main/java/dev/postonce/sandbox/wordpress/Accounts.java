package dev.postonce.sandbox.wordpress;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Basic authentication with application passwords. */
final class Accounts {

    private static final String SCHEME = "Basic ";

    private final List<WordPressUser> users;

    Accounts(List<WordPressUser> users) {
        this.users = List.copyOf(users);
    }

    /** Null for none and for wrong credentials alike: WordPress then goes on as for a stranger. */
    @Nullable
    WordPressUser authenticate(@Nullable String authorization) {
        if (authorization == null || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return null;
        }
        String decoded;
        try {
            byte[] bytes = Base64.getDecoder()
                    .decode(authorization.substring(SCHEME.length()).strip());
            decoded = new String(bytes, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return null;
        }
        int colon = decoded.indexOf(':');
        if (colon < 0) {
            return null;
        }
        String name = decoded.substring(0, colon);
        byte[] password = canonical(decoded.substring(colon + 1));
        for (WordPressUser user : users) {
            if (user.name().equals(name) && MessageDigest.isEqual(canonical(user.password()), password)) {
                return user;
            }
        }
        return null;
    }

    @Nullable
    WordPressUser byId(long id) {
        return users.stream().filter(user -> user.id() == id).findFirst().orElse(null);
    }

    /** Application passwords are shown in groups of four; only letters and digits count. */
    private static byte[] canonical(String password) {
        return password.replaceAll("[^A-Za-z0-9]", "").getBytes(StandardCharsets.UTF_8);
    }
}
