package dev.postonce.index.replica;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import org.apache.lucene.analysis.charfilter.HTMLStripCharFilter;

/** The words of an HTML text: no tags, no scripts, entities decoded. */
final class PlainText {

    private PlainText() {}

    static String ofHtml(String html) {
        StringWriter text = new StringWriter(html.length());
        try (Reader stripped = new HTMLStripCharFilter(new StringReader(html))) {
            stripped.transferTo(text);
        } catch (IOException e) {
            throw new UncheckedIOException("a string cannot fail to be read", e);
        }
        return text.toString().strip();
    }
}
