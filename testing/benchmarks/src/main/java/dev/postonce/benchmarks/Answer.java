package dev.postonce.benchmarks;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * An HTTP answer with a Content-Length.
 *
 * @param closes whether the service ends the connection with it
 */
record Answer(int status, boolean closes) {

    private static final String LENGTH = "content-length:";
    private static final int STATUS_AT = 9;

    /** The body is read over. */
    static Answer read(InputStream in) throws IOException {
        int status = Integer.parseInt(line(in).substring(STATUS_AT, STATUS_AT + 3));
        long length = 0;
        boolean closes = false;
        for (String header = line(in); !header.isEmpty(); header = line(in)) {
            if (header.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
                length = Long.parseLong(header.substring(LENGTH.length()).strip());
            } else if (header.equalsIgnoreCase("connection: close")) {
                closes = true;
            } else if (header.toLowerCase(Locale.ROOT).startsWith("transfer-encoding")) {
                throw new IOException("an answer of unknown length");
            }
        }
        in.skipNBytes(length);
        return new Answer(status, closes);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder text = new StringBuilder();
        for (int character = in.read(); character != '\n'; character = in.read()) {
            if (character < 0) {
                throw new EOFException("the service closed the connection");
            }
            if (character != '\r') {
                text.append((char) character);
            }
        }
        return text.toString();
    }
}
