package dev.postonce.ingest.tenant;

import dev.postonce.ingest.web.Fields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A key that somebody wants.
 *
 * @param clientId who will use it; stays the same when the key is changed for another
 * @param ratePerSecond null for the tenant's
 */
record KeyRequest(String clientId, List<String> scopes, @Nullable Integer ratePerSecond) {

    static final int RATE_MAX = 100_000;
    private static final Set<String> FIELDS = Set.of("client_id", "scopes", "rate_per_second");
    private static final Pattern CLIENT = Pattern.compile("[a-z0-9][a-z0-9_.-]{0,63}");
    private static final List<String> SCOPES =
            Arrays.stream(Scope.values()).map(Scope::wireName).toList();

    static KeyRequest of(ObjectNode json) {
        Fields fields = new Fields(json, FIELDS);
        fields.require("client_id");
        fields.require("scopes");
        @Nullable
        String clientId =
                fields.matching("client_id", CLIENT, "1 to 64 of a-z 0-9 . _ -, beginning with a letter or digit");
        List<String> given = fields.list("scopes", SCOPES.size(), 16);
        if (!SCOPES.containsAll(given)) {
            fields.wrong("scopes", "may hold submit, read and ops");
        } else if (given.isEmpty() && fields.has("scopes")) {
            fields.wrong("scopes", "must name at least one");
        }
        @Nullable Integer rate = fields.wholeNumber("rate_per_second", 1, RATE_MAX);
        fields.refuseIfWrong();
        List<String> scopes = new ArrayList<>(SCOPES);
        scopes.retainAll(given);
        return new KeyRequest(clientId == null ? "" : clientId, List.copyOf(scopes), rate);
    }
}
