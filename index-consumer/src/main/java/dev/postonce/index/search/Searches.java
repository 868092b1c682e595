package dev.postonce.index.search;

import dev.postonce.index.access.Caller;
import dev.postonce.index.event.IndexKind;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.index.replica.CjkAnalysis;
import dev.postonce.index.replica.Fields;
import dev.postonce.index.replica.LuceneIndex;
import dev.postonce.index.replica.Replica;
import dev.postonce.index.search.SearchAnswer.Hit;
import dev.postonce.runtime.Secret;
import java.io.IOException;
import java.text.BreakIterator;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.search.FieldDoc;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopFieldCollectorManager;
import org.apache.lucene.search.TopFieldDocs;
import org.apache.lucene.search.TotalHits;
import org.apache.lucene.search.uhighlight.LengthGoalBreakIterator;
import org.apache.lucene.search.uhighlight.UnifiedHighlighter;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** Answers questions from this instance's replica. */
public final class Searches {

    private static final int COUNTED_HITS_MAX = 1_000;
    private static final int HIGHLIGHTED_CHARACTERS_MAX = 100_000;
    private static final int PASSAGE_CHARACTERS_GOAL = 100;
    private static final String[] HIGHLIGHTED = {Fields.TITLE, Fields.SUMMARY, Fields.BODY};
    private static final int[] PASSAGES = {1, 1, 2};

    // The key makes the order total, so that the place after a hit is one place.
    private static final Sort ORDER = new Sort(SortField.FIELD_SCORE, new SortField(Fields.KEY, SortField.Type.STRING));

    private final Replica replica;
    private final Questions questions = new Questions();
    private final SearchCursor cursors;

    public Searches(Replica replica, Secret cursorSecret) {
        this.replica = replica;
        this.cursors = new SearchCursor(cursorSecret);
    }

    record Found(long totalHits, boolean exact, List<Hit> hits, @Nullable String nextCursor) {}

    Found find(Caller caller, SearchRequest request) throws IOException {
        Query words = questions.words(request.text());
        SearchCursor.Place after = cursors.read(caller.tenantId(), request);
        LuceneIndex index = replica.readable();
        if (index == null) {
            throw ProblemException.notReady();
        }
        IndexSearcher searcher = index.acquire();
        try {
            Query query = Questions.within(words, caller.tenantId(), request.kind());
            TopFieldDocs top = searcher.search(
                    query,
                    new TopFieldCollectorManager(
                            ORDER,
                            request.limit(),
                            after == null ? null : fieldDoc(after, searcher.getIndexReader()),
                            COUNTED_HITS_MAX));
            List<Hit> hits = hits(searcher, words, top);
            boolean exact = top.totalHits.relation == TotalHits.Relation.EQUAL_TO;
            return new Found(top.totalHits.value, exact, hits, next(searcher, top, caller, request));
        } finally {
            index.release(searcher);
        }
    }

    private static FieldDoc fieldDoc(SearchCursor.Place after, IndexReader reader) {
        // The document number only breaks ties between equal keys, and there are none.
        return new FieldDoc(
                Math.max(0, reader.maxDoc() - 1), after.score(), new Object[] {after.score(), new BytesRef(after.key())
                });
    }

    private @Nullable String next(IndexSearcher searcher, TopFieldDocs top, Caller caller, SearchRequest request)
            throws IOException {
        if (top.scoreDocs.length < request.limit()) {
            return null;
        }
        FieldDoc last = (FieldDoc) top.scoreDocs[top.scoreDocs.length - 1];
        String key = searcher.storedFields().document(last.doc).get(Fields.KEY);
        return cursors.write(new SearchCursor.Place((Float) last.fields[0], key), caller.tenantId(), request);
    }

    private static List<Hit> hits(IndexSearcher searcher, Query words, TopFieldDocs top) throws IOException {
        if (top.scoreDocs.length == 0) {
            return List.of();
        }
        Map<String, String[]> marked = highlighter(searcher).highlightFields(HIGHLIGHTED, words, top, PASSAGES);
        List<Hit> hits = new ArrayList<>();
        for (int i = 0; i < top.scoreDocs.length; i++) {
            Map<String, String> highlight = new LinkedHashMap<>();
            for (String field : HIGHLIGHTED) {
                String[] texts = marked.get(field);
                if (texts != null && texts[i] != null) {
                    highlight.put(field, texts[i]);
                }
            }
            hits.add(hit(searcher, top.scoreDocs[i], highlight));
        }
        return hits;
    }

    private static Hit hit(IndexSearcher searcher, ScoreDoc found, Map<String, String> highlight) throws IOException {
        Document document = searcher.storedFields().document(found.doc);
        boolean task = IndexKind.TASK.wireName().equals(document.get(Fields.KIND));
        String id = document.get(Fields.ID);
        String title = document.get(Fields.TITLE);
        float score = (Float) ((FieldDoc) found).fields[0];
        return new Hit(
                document.get(Fields.KIND),
                task ? id : null,
                task ? null : id,
                document.get(Fields.OPERATION),
                task ? title : null,
                task ? null : title,
                document.get(Fields.LANGUAGE),
                version(searcher, found.doc),
                score,
                highlight);
    }

    private static long version(IndexSearcher searcher, int doc) throws IOException {
        List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
        NumericDocValues versions = leaf.reader().getNumericDocValues(Fields.VERSION);
        if (versions == null || !versions.advanceExact(doc - leaf.docBase)) {
            throw new IOException("a document without version in the replica");
        }
        return versions.longValue();
    }

    private static UnifiedHighlighter highlighter(IndexSearcher searcher) {
        return UnifiedHighlighter.builder(searcher, CjkAnalysis.ofIndex())
                .withMaxLength(HIGHLIGHTED_CHARACTERS_MAX)
                .withMaxNoHighlightPassages(0)
                .withFormatter(new MarkedPassages())
                .withBreakIterator(() -> LengthGoalBreakIterator.createClosestToLength(
                        BreakIterator.getSentenceInstance(Locale.ROOT), PASSAGE_CHARACTERS_GOAL, 0.5f))
                .build();
    }
}
