package dev.postonce.ingest.content;

/** Takes so many characters, and no more. */
final class BoundedText implements Appendable {

    private final StringBuilder text = new StringBuilder();
    private final int charactersMax;

    BoundedText(int charactersMax) {
        this.charactersMax = charactersMax;
    }

    @Override
    public BoundedText append(CharSequence more) {
        return append(more, 0, more.length());
    }

    @Override
    public BoundedText append(CharSequence more, int start, int end) {
        require(end - start);
        text.append(more, start, end);
        return this;
    }

    @Override
    public BoundedText append(char more) {
        require(1);
        text.append(more);
        return this;
    }

    private void require(int room) {
        if (text.length() + room > charactersMax) {
            throw new IllegalStateException("more than " + charactersMax + " characters");
        }
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
