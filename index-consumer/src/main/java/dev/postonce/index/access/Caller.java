package dev.postonce.index.access;

import dev.postonce.index.problem.ProblemException;
import java.util.Set;

/** Who asks. Everything that is answered belongs to this tenant. */
public record Caller(String tenantId, String clientId, Set<String> scopes) {

    public static final String READ = "read";
    public static final String OPS = "ops";

    Caller require(String scope) {
        if (!scopes.contains(scope)) {
            throw ProblemException.forbidden(scope);
        }
        return this;
    }
}
