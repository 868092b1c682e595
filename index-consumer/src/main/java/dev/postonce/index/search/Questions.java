package dev.postonce.index.search;

import dev.postonce.index.event.IndexKind;
import dev.postonce.index.problem.ProblemException;
import dev.postonce.index.replica.CjkAnalysis;
import dev.postonce.index.replica.Fields;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.BoostQuery;
import org.apache.lucene.search.DisjunctionMaxQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermQuery;
import org.jspecify.annotations.Nullable;

/** From a text to a Lucene query: every term must stand somewhere in the document, the title counting most. */
final class Questions {

    private static final Map<String, Float> FIELDS = Map.of(
            Fields.TITLE, 4f,
            Fields.NAMES, 3f,
            Fields.TAGS, 2.5f,
            Fields.SUMMARY, 2f,
            Fields.CATEGORY, 1.5f,
            Fields.BODY, 1f);

    /** What a hit in another field than the best adds. */
    private static final float OTHER_FIELDS = 0.1f;

    private static final int TERMS_MAX = 64;

    private final Analyzer analyzer = CjkAnalysis.ofQuery();

    /** The words alone, as the highlighter takes them. @throws ProblemException if there is no term in the text */
    Query words(String text) {
        Set<String> terms = terms(text);
        if (terms.isEmpty()) {
            throw ProblemException.badQuery("q holds nothing that could be found: no letter, digit or character");
        }
        BooleanQuery.Builder all = new BooleanQuery.Builder();
        for (String term : terms) {
            List<Query> somewhere = new ArrayList<>();
            FIELDS.forEach(
                    (field, boost) -> somewhere.add(new BoostQuery(new TermQuery(new Term(field, term)), boost)));
            all.add(new DisjunctionMaxQuery(somewhere, OTHER_FIELDS), BooleanClause.Occur.MUST);
        }
        return all.build();
    }

    /** The words, within what the tenant may see. The filter is not part of what the caller can word. */
    static Query within(Query words, String tenantId, @Nullable IndexKind kind) {
        BooleanQuery.Builder query = new BooleanQuery.Builder();
        query.add(words, BooleanClause.Occur.MUST);
        query.add(new TermQuery(new Term(Fields.TENANT, tenantId)), BooleanClause.Occur.FILTER);
        query.add(new TermQuery(new Term(Fields.ALIVE, "1")), BooleanClause.Occur.FILTER);
        if (kind != null) {
            query.add(new TermQuery(new Term(Fields.KIND, kind.wireName())), BooleanClause.Occur.FILTER);
        }
        return query.build();
    }

    Set<String> terms(String text) {
        Set<String> terms = new LinkedHashSet<>();
        try (TokenStream stream = analyzer.tokenStream(Fields.TITLE, text)) {
            CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
            stream.reset();
            while (stream.incrementToken() && terms.size() < TERMS_MAX) {
                terms.add(term.toString());
            }
            stream.end();
            return terms;
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
    }
}
