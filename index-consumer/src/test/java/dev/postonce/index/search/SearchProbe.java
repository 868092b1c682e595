package dev.postonce.index.search;

import dev.postonce.index.Samples;
import dev.postonce.index.access.Caller;
import dev.postonce.index.replica.Replica;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Asks a replica as the controller does. */
public final class SearchProbe {

    private SearchProbe() {}

    public static List<String> ids(Replica replica, Caller caller, String question) {
        List<String> ids = new ArrayList<>();
        for (SearchAnswer.Hit hit : page(replica, caller, question, 100, null).hits()) {
            ids.add(hit.externalId() == null ? String.valueOf(hit.normalizedGroupId()) : hit.externalId());
        }
        return ids;
    }

    static Searches.Found page(Replica replica, Caller caller, String question, int limit, @Nullable String cursor) {
        try {
            return new Searches(replica, Samples.PEPPER)
                    .find(caller, SearchRequest.of(question, null, Integer.toString(limit), cursor));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
