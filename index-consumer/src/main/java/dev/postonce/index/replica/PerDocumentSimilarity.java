package dev.postonce.index.replica;

import org.apache.lucene.search.CollectionStatistics;
import org.apache.lucene.search.TermStatistics;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.util.SmallFloat;

/**
 * A score that depends on the document and the query alone: BM25's saturation and length norm without its counts over
 * the whole index. So each replica gives the same score whatever it has merged, a cursor stays good when other
 * documents come and go, and no score tells one tenant how often a word stands in another's documents.
 */
final class PerDocumentSimilarity extends Similarity {

    private static final float SATURATION = 1.2f;
    private static final float LENGTH_WEIGHT = 0.3f;
    private static final float TYPICAL_TERMS = 60f;

    @Override
    public SimScorer scorer(float boost, CollectionStatistics collection, TermStatistics... terms) {
        return new SimScorer() {
            @Override
            public float score(float frequency, long norm) {
                float length = norm == 0 ? TYPICAL_TERMS : SmallFloat.byte4ToInt((byte) norm);
                float slowness = SATURATION * (1 - LENGTH_WEIGHT + LENGTH_WEIGHT * length / TYPICAL_TERMS);
                // Written so that rounding keeps it rising with the frequency, as Lucene demands.
                return boost - boost / (1f + frequency / slowness);
            }
        };
    }
}
