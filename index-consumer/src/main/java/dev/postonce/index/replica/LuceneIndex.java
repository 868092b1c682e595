package dev.postonce.index.replica;

import dev.postonce.messaging.GateDecision;
import dev.postonce.messaging.GateDecision.Watermark;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.lucene.index.BinaryDocValues;
import org.apache.lucene.index.ConcurrentMergeScheduler;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NumericDocValues;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.Term;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.SearcherFactory;
import org.apache.lucene.search.SearcherManager;
import org.apache.lucene.store.FSDirectory;
import org.apache.lucene.store.Lock;
import org.apache.lucene.util.Bits;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/**
 * One open Lucene index: written by one thread, searched by many. Versions and tombstones are documents like others,
 * so a late event meets them also after a restart. Nothing is durable before {@link #commit}, and closing commits
 * nothing: documents without their offsets would be worth nothing, and offsets without their documents a loss.
 */
public final class LuceneIndex implements Closeable {

    /** Versions written since the last refresh, which the searcher cannot see; more than these force a refresh. */
    private static final int UNREFRESHED_MAX = 5_000;

    private static final int MERGE_THREADS = 1;

    private static final Pattern LUCENE_FILE = Pattern.compile("(pending_)?segments(_.*)?|_[0-9a-z].*");

    private final FSDirectory directory;
    private final IndexWriter writer;
    private final SearcherManager searchers;
    private final Map<String, Watermark> unrefreshed = new HashMap<>();

    private static final class Searchers extends SearcherFactory {
        @Override
        public IndexSearcher newSearcher(IndexReader reader, @Nullable IndexReader previous) {
            IndexSearcher searcher = new IndexSearcher(reader);
            searcher.setSimilarity(new PerDocumentSimilarity());
            return searcher;
        }
    }

    private LuceneIndex(FSDirectory directory, IndexWriter writer) throws IOException {
        this.directory = directory;
        this.writer = writer;
        this.searchers = new SearcherManager(writer, true, true, new Searchers());
    }

    /**
     * @param fresh whether to begin an empty index: what Lucene left in the directory is erased, and nothing else
     * @throws org.apache.lucene.store.LockObtainFailedException if another process or instance has the directory
     */
    public static LuceneIndex open(Path path, boolean fresh, double ramBufferMb) throws IOException {
        Files.createDirectories(path);
        FSDirectory directory = FSDirectory.open(path);
        IndexWriter writer = null;
        try {
            if (fresh) {
                erase(directory);
            }
            IndexWriterConfig config = new IndexWriterConfig(CjkAnalysis.ofIndex())
                    .setOpenMode(IndexWriterConfig.OpenMode.CREATE_OR_APPEND)
                    .setSimilarity(new PerDocumentSimilarity())
                    .setRAMBufferSizeMB(ramBufferMb)
                    .setCommitOnClose(false);
            ConcurrentMergeScheduler merges = new ConcurrentMergeScheduler();
            merges.setMaxMergesAndThreads(MERGE_THREADS + 2, MERGE_THREADS);
            config.setMergeScheduler(merges);
            writer = new IndexWriter(directory, config);
            return new LuceneIndex(directory, writer);
        } catch (IOException | RuntimeException e) {
            if (writer != null) {
                writer.rollback();
            }
            directory.close();
            throw e;
        }
    }

    /** Lucene itself cannot begin anew over files that it cannot read. */
    private static void erase(FSDirectory directory) throws IOException {
        try (Lock lock = directory.obtainLock(IndexWriter.WRITE_LOCK_NAME)) {
            lock.ensureValid();
            for (String name : directory.listAll()) {
                if (LUCENE_FILE.matcher(name).matches()) {
                    directory.deleteFile(name);
                }
            }
        }
    }

    /** Of the last commit; empty for a new index, or one of another format. */
    Optional<Checkpoint> checkpoint() {
        Iterable<Map.Entry<String, String>> data = writer.getLiveCommitData();
        return data == null ? Optional.empty() : Checkpoint.ofUserData(data);
    }

    /** Writes the document if it is newer than what stands there, by the rule of the gate. */
    GateDecision apply(ReplicaDocument document) throws IOException {
        String key = document.key();
        GateDecision decision = GateDecision.decide(false, standing(key), document.version(), document.contentDigest());
        if (decision == GateDecision.APPLY) {
            writer.updateDocument(new Term(Fields.KEY, key), Fields.toLucene(document));
            unrefreshed.put(key, new Watermark(document.version(), document.contentDigest()));
            if (unrefreshed.size() >= UNREFRESHED_MAX) {
                refresh();
            }
        }
        return decision;
    }

    boolean hasUnrefreshed() {
        return !unrefreshed.isEmpty();
    }

    void refresh() throws IOException {
        searchers.maybeRefreshBlocking();
        unrefreshed.clear();
    }

    void commit(Checkpoint checkpoint) throws IOException {
        writer.setLiveCommitData(checkpoint.toUserData().entrySet());
        writer.commit();
    }

    public IndexSearcher acquire() throws IOException {
        return searchers.acquire();
    }

    public void release(IndexSearcher searcher) throws IOException {
        searchers.release(searcher);
    }

    /** With tombstones. */
    int documents() {
        return writer.getDocStats().numDocs;
    }

    private @Nullable Watermark standing(String key) throws IOException {
        Watermark newest = unrefreshed.get(key);
        if (newest != null) {
            return newest;
        }
        IndexSearcher searcher = searchers.acquire();
        try {
            BytesRef term = new BytesRef(key);
            for (LeafReaderContext leaf : searcher.getIndexReader().leaves()) {
                Watermark found = standing(leaf, term);
                if (found != null) {
                    return found;
                }
            }
            return null;
        } finally {
            searchers.release(searcher);
        }
    }

    private static @Nullable Watermark standing(LeafReaderContext leaf, BytesRef key) throws IOException {
        if (leaf.reader().terms(Fields.KEY) == null) {
            return null;
        }
        TermsEnum terms = leaf.reader().terms(Fields.KEY).iterator();
        if (!terms.seekExact(key)) {
            return null;
        }
        Bits live = leaf.reader().getLiveDocs();
        PostingsEnum postings = terms.postings(null, PostingsEnum.NONE);
        for (int doc = postings.nextDoc(); doc != DocIdSetIterator.NO_MORE_DOCS; doc = postings.nextDoc()) {
            if (live == null || live.get(doc)) {
                return watermark(leaf, doc);
            }
        }
        return null;
    }

    /** @param doc numbered within the leaf */
    static Watermark watermark(LeafReaderContext leaf, int doc) throws IOException {
        NumericDocValues version = leaf.reader().getNumericDocValues(Fields.VERSION);
        BinaryDocValues digest = leaf.reader().getBinaryDocValues(Fields.DIGEST);
        if (version == null || digest == null || !version.advanceExact(doc) || !digest.advanceExact(doc)) {
            throw new IOException("a document without version or digest in the replica");
        }
        return new Watermark(version.longValue(), digest.binaryValue().utf8ToString());
    }

    /** Gives up all that was not committed. */
    @Override
    public void close() throws IOException {
        try {
            searchers.close();
        } finally {
            try {
                writer.rollback();
            } finally {
                directory.close();
            }
        }
    }
}
