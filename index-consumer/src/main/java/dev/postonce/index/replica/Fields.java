package dev.postonce.index.replica;

import org.apache.lucene.document.BinaryDocValuesField;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.SortedDocValuesField;
import org.apache.lucene.document.StoredField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.util.BytesRef;
import org.jspecify.annotations.Nullable;

/** The fields of a Lucene document. A change of meaning needs another {@link Checkpoint#FORMAT}. */
public final class Fields {

    public static final String KEY = "key";
    public static final String TENANT = "tenant";
    public static final String KIND = "kind";
    /** 1 for a document that a search may find; a tombstone has 0. */
    public static final String ALIVE = "alive";

    public static final String VERSION = "version";
    public static final String DIGEST = "digest";
    public static final String ID = "id";
    public static final String OPERATION = "operation";
    public static final String LANGUAGE = "language";
    public static final String TITLE = "title";
    public static final String SUMMARY = "summary";
    public static final String BODY = "body";
    public static final String TAGS = "tags";
    public static final String CATEGORY = "category";
    public static final String NAMES = "names";

    private Fields() {}

    static Document toLucene(ReplicaDocument document) {
        Document lucene = new Document();
        lucene.add(new StringField(KEY, document.key(), Field.Store.YES));
        lucene.add(new SortedDocValuesField(KEY, new BytesRef(document.key())));
        lucene.add(new StringField(TENANT, document.tenantId(), Field.Store.NO));
        lucene.add(new StringField(KIND, document.kind().wireName(), Field.Store.YES));
        lucene.add(new NumericDocValuesField(VERSION, document.version()));
        lucene.add(new BinaryDocValuesField(DIGEST, new BytesRef(document.contentDigest())));
        ReplicaDocument.Content content = document.content();
        lucene.add(new StringField(ALIVE, content == null ? "0" : "1", Field.Store.YES));
        if (content != null) {
            addContent(lucene, content);
        }
        return lucene;
    }

    private static void addContent(Document lucene, ReplicaDocument.Content content) {
        lucene.add(new StoredField(ID, content.id()));
        stored(lucene, OPERATION, content.operation());
        stored(lucene, LANGUAGE, content.language());
        lucene.add(new TextField(TITLE, content.title(), Field.Store.YES));
        lucene.add(new TextField(SUMMARY, content.summary(), Field.Store.YES));
        lucene.add(new TextField(BODY, content.body(), Field.Store.YES));
        lucene.add(new TextField(CATEGORY, content.category(), Field.Store.NO));
        content.tags().forEach(tag -> lucene.add(new TextField(TAGS, tag, Field.Store.NO)));
        content.names().forEach(name -> lucene.add(new TextField(NAMES, name, Field.Store.NO)));
    }

    private static void stored(Document lucene, String field, @Nullable String value) {
        if (value != null) {
            lucene.add(new StoredField(field, value));
        }
    }
}
