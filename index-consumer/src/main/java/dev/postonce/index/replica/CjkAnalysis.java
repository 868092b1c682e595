package dev.postonce.index.replica;

import java.io.Reader;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.CharFilter;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.charfilter.MappingCharFilter;
import org.apache.lucene.analysis.charfilter.NormalizeCharMap;
import org.apache.lucene.analysis.cjk.CJKBigramFilter;
import org.apache.lucene.analysis.cjk.CJKWidthFilter;
import org.apache.lucene.analysis.standard.StandardTokenizer;

/**
 * How text becomes terms. Chinese, Japanese and Korean are indexed as single characters and as pairs, and asked for as
 * pairs: with pairs alone 双11 would not find "2026年双11", for its 双 stands inside a longer run. Full width and half
 * width are one; the separators of file names divide, so that v2 finds 素材_v2.psd.
 */
public final class CjkAnalysis extends Analyzer {

    private static final int SCRIPTS =
            CJKBigramFilter.HAN | CJKBigramFilter.HIRAGANA | CJKBigramFilter.KATAKANA | CJKBigramFilter.HANGUL;

    private static final NormalizeCharMap SEPARATORS = separators();

    private final boolean singleCharactersToo;

    private CjkAnalysis(boolean singleCharactersToo) {
        this.singleCharactersToo = singleCharactersToo;
    }

    /** For what is written. */
    public static Analyzer ofIndex() {
        return new CjkAnalysis(true);
    }

    /** For what is asked. */
    public static Analyzer ofQuery() {
        return new CjkAnalysis(false);
    }

    @Override
    protected Reader initReader(String fieldName, Reader reader) {
        CharFilter divided = new MappingCharFilter(SEPARATORS, reader);
        return divided;
    }

    @Override
    protected TokenStreamComponents createComponents(String fieldName) {
        StandardTokenizer tokenizer = new StandardTokenizer();
        TokenStream terms = new CJKWidthFilter(tokenizer);
        terms = new LowerCaseFilter(terms);
        terms = new CJKBigramFilter(terms, SCRIPTS, singleCharactersToo);
        return new TokenStreamComponents(tokenizer, terms);
    }

    private static NormalizeCharMap separators() {
        NormalizeCharMap.Builder map = new NormalizeCharMap.Builder();
        // One character for one, so that highlights stay where they belong.
        for (String separator : List.of("_", "-", ".", "＿", "－", "．")) {
            map.add(separator, " ");
        }
        return map.build();
    }
}
