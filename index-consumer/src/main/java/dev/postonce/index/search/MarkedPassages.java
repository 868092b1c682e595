package dev.postonce.index.search;

import org.apache.lucene.search.uhighlight.Passage;
import org.apache.lucene.search.uhighlight.PassageFormatter;

/**
 * Passages as HTML: the text escaped, the hits between {@code <mark>} and {@code </mark>}, hits that touch as one, and
 * no passage longer than a few lines, however long the sentence is.
 */
final class MarkedPassages extends PassageFormatter {

    private static final int BEFORE_CHARACTERS_MAX = 60;
    private static final int PASSAGE_CHARACTERS_MAX = 240;

    @Override
    public String format(Passage[] passages, String content) {
        StringBuilder html = new StringBuilder();
        for (Passage passage : passages) {
            if (!html.isEmpty()) {
                html.append(" … ");
            }
            add(html, passage, content);
        }
        return html.toString();
    }

    private static void add(StringBuilder html, Passage passage, String content) {
        int matches = passage.getNumMatches();
        int firstMatch = matches == 0 ? passage.getStartOffset() : passage.getMatchStarts()[0];
        int position = whole(content, Math.max(passage.getStartOffset(), firstMatch - BEFORE_CHARACTERS_MAX));
        int end = whole(content, Math.min(passage.getEndOffset(), position + PASSAGE_CHARACTERS_MAX));
        if (position > passage.getStartOffset()) {
            html.append('…');
        }
        for (int i = 0; i < matches; i++) {
            int start = Math.max(position, passage.getMatchStarts()[i]);
            int stop = passage.getMatchEnds()[i];
            while (i + 1 < matches && passage.getMatchStarts()[i + 1] <= stop) {
                i++;
                stop = Math.max(stop, passage.getMatchEnds()[i]);
            }
            stop = Math.min(stop, end);
            if (start >= stop) {
                continue;
            }
            escape(html, content, position, start);
            html.append("<mark>");
            escape(html, content, start, stop);
            html.append("</mark>");
            position = stop;
        }
        escape(html, content, position, end);
        if (end < passage.getEndOffset()) {
            html.append('…');
        }
    }

    /** Not between the two halves of a character outside the basic plane. */
    private static int whole(String content, int index) {
        boolean split = index > 0 && index < content.length() && Character.isLowSurrogate(content.charAt(index));
        return split ? index - 1 : index;
    }

    private static void escape(StringBuilder html, String content, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = content.charAt(i);
            switch (c) {
                case '&' -> html.append("&amp;");
                case '<' -> html.append("&lt;");
                case '>' -> html.append("&gt;");
                case '"' -> html.append("&quot;");
                case '\'' -> html.append("&#39;");
                case '\n', '\r', '\t' -> html.append(' ');
                default -> html.append(c);
            }
        }
    }
}
