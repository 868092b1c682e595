package dev.postonce.index.replica;

import dev.postonce.messaging.GateDecision.Watermark;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.MultiTerms;
import org.apache.lucene.index.ReaderUtil;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.Terms;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.StringHelper;

/** What a replica holds, key by key, tombstones too: to be compared with the truth. */
public final class ReplicaListing {

    public record Line(String kind, String recordKey, long version, boolean deleted, String contentDigest) {
        /** The place in the listing. */
        public String key() {
            return kind + "/" + recordKey;
        }
    }

    private ReplicaListing() {}

    /** @param after a line's key, or empty; only keys that begin with the prefix are listed, in the order of bytes */
    public static List<Line> of(IndexSearcher searcher, String prefix, String after, int limit) throws IOException {
        List<Line> lines = new ArrayList<>();
        Terms terms = MultiTerms.getTerms(searcher.getIndexReader(), Fields.KEY);
        if (terms == null) {
            return lines;
        }
        BytesRef start = new BytesRef(after.compareTo(prefix) > 0 ? after : prefix);
        BytesRef begin = new BytesRef(prefix);
        TermsEnum keys = terms.iterator();
        TermsEnum.SeekStatus at = keys.seekCeil(start);
        boolean more = at != TermsEnum.SeekStatus.END;
        while (more && lines.size() < limit && StringHelper.startsWith(keys.term(), begin)) {
            String key = keys.term().utf8ToString();
            if (!key.equals(after)) {
                add(searcher, key, lines);
            }
            more = keys.next() != null;
        }
        return lines;
    }

    private static void add(IndexSearcher searcher, String key, List<Line> lines) throws IOException {
        // A term may outlive its document until the next merge; a query sees the living only.
        TopDocs found = searcher.search(new TermQuery(new Term(Fields.KEY, key)), 1);
        if (found.scoreDocs.length == 0) {
            return;
        }
        int doc = found.scoreDocs[0].doc;
        List<LeafReaderContext> leaves = searcher.getIndexReader().leaves();
        LeafReaderContext leaf = leaves.get(ReaderUtil.subIndex(doc, leaves));
        Watermark watermark = LuceneIndex.watermark(leaf, doc - leaf.docBase);
        boolean deleted = "0".equals(searcher.storedFields().document(doc).get(Fields.ALIVE));
        int slash = key.indexOf('/');
        lines.add(new Line(
                key.substring(0, slash),
                key.substring(slash + 1),
                watermark.version(),
                deleted,
                watermark.contentDigest()));
    }
}
