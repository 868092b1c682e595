package dev.postonce.index.search;

import dev.postonce.index.access.ApiKeys;
import dev.postonce.index.access.Caller;
import dev.postonce.index.event.IndexKind;
import dev.postonce.index.meter.EventProgress;
import dev.postonce.index.meter.IndexMeters;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.index.problem.RequestIdFilter;
import dev.postonce.index.replica.LuceneIndex;
import dev.postonce.index.replica.Replica;
import dev.postonce.index.replica.ReplicaListing;
import dev.postonce.index.search.SearchAnswer.ReplicaInfo;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.search.IndexSearcher;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code GET /v1/search}, and the listing that verify compares with the truth. */
@RestController
public final class SearchController {

    private static final int LISTING_DEFAULT = 500;
    private static final int LISTING_MAX = 1_000;

    private final ApiKeys keys;
    private final Searches searches;
    private final Replica replica;
    private final EventProgress progress;
    private final IndexMeters meters;
    private final String instance;

    public SearchController(
            ApiKeys keys,
            Searches searches,
            Replica replica,
            EventProgress progress,
            IndexMeters meters,
            String instance) {
        this.keys = keys;
        this.searches = searches;
        this.replica = replica;
        this.progress = progress;
        this.meters = meters;
        this.instance = instance;
    }

    /** @param next give it as {@code after} for the next page; absent on the last one */
    public record Listing(
            boolean ok,
            String requestId,
            List<ReplicaListing.Line> entries,
            @Nullable String next,
            ReplicaInfo replica) {}

    @GetMapping("/v1/search")
    SearchAnswer search(
            @RequestHeader(name = "Authorization", required = false) @Nullable String authorization,
            @RequestParam(required = false) @Nullable String q,
            @RequestParam(required = false) @Nullable String kind,
            @RequestParam(required = false) @Nullable String limit,
            @RequestParam(required = false) @Nullable String cursor,
            HttpServletRequest http)
            throws IOException {
        long startNs = System.nanoTime();
        Caller caller = keys.authenticate(authorization, Caller.READ);
        Searches.Found found = searches.find(caller, SearchRequest.of(q, kind, limit, cursor));
        meters.search().record(Duration.ofNanos(System.nanoTime() - startNs));
        return new SearchAnswer(
                true,
                RequestIdFilter.of(http),
                found.totalHits(),
                found.exact(),
                found.hits(),
                found.nextCursor(),
                replicaInfo());
    }

    @GetMapping("/v1/replica/entries")
    Listing entries(
            @RequestHeader(name = "Authorization", required = false) @Nullable String authorization,
            @RequestParam(required = false) @Nullable String after,
            @RequestParam(required = false) @Nullable String limit,
            HttpServletRequest http)
            throws IOException {
        Caller caller = keys.authenticate(authorization, Caller.OPS);
        int lines = SearchRequest.limitOf(limit, LISTING_DEFAULT, LISTING_MAX);
        LuceneIndex index = replica.readable();
        if (index == null) {
            throw ProblemException.notReady();
        }
        List<ReplicaListing.Line> listed = new ArrayList<>();
        IndexSearcher searcher = index.acquire();
        try {
            // The kinds in the order of their wire names, which is the order of the keys.
            for (IndexKind kind : List.of(IndexKind.GROUP, IndexKind.TASK)) {
                String prefix = kind.wireName() + "/" + caller.tenantId() + ":";
                String from = after == null ? "" : after;
                boolean done = from.compareTo(prefix) > 0 && !from.startsWith(prefix);
                if (!done && listed.size() < lines) {
                    listed.addAll(ReplicaListing.of(searcher, prefix, from, lines - listed.size()));
                }
            }
        } finally {
            index.release(searcher);
        }
        String next = listed.size() < lines ? null : listed.get(lines - 1).key();
        return new Listing(true, RequestIdFilter.of(http), listed, next, replicaInfo());
    }

    private ReplicaInfo replicaInfo() {
        return ReplicaInfo.of(instance, replica.status(), progress.lagSeconds());
    }
}
