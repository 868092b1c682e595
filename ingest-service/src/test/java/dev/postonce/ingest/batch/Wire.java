package dev.postonce.ingest.batch;

import static dev.postonce.ingest.Intake.ALPHA;

import dev.postonce.ingest.Intake;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.function.LongFunction;
import tools.jackson.databind.JsonNode;

/** A batch over a bare connection, piece by piece. */
final class Wire implements AutoCloseable {

    private static final int SEND_BUFFER_BYTES = 64 * 1024;

    private final SocketChannel channel;
    private final BufferedReader in;

    Wire() throws IOException {
        this(Intake.service().url());
    }

    Wire(String service) throws IOException {
        URI url = URI.create(service);
        channel = SocketChannel.open();
        channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
        channel.connect(new InetSocketAddress(url.getHost(), url.getPort()));
        channel.socket().setSoTimeout(120_000);
        in = new BufferedReader(new InputStreamReader(
                new Body(new BufferedInputStream(Channels.newInputStream(channel))), StandardCharsets.UTF_8));
        write("POST /v1/tasks:batch HTTP/1.1\r\nHost: " + url.getAuthority() + "\r\nAuthorization: Bearer " + ALPHA
                + "\r\nContent-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n\r\n");
    }

    void send(Object line) throws IOException {
        ByteBuffer bytes = chunkOf(line);
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    void end() throws IOException {
        write("0\r\n\r\n");
    }

    private void write(String text) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static ByteBuffer chunkOf(Object line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        byte[] size = (Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(size.length + bytes.length + 2)
                .put(size)
                .put(bytes)
                .put((byte) '\r')
                .put((byte) '\n')
                .flip();
    }

    /**
     * Sends lines until nothing has been taken for a while, or all of them.
     *
     * @return how many bytes were taken
     */
    long sendUntilItStalls(LongFunction<Object> line, long bytesMax, long stallMs) throws IOException {
        channel.configureBlocking(false);
        long taken = 0;
        long number = 0;
        ByteBuffer bytes = chunkOf(line.apply(number));
        try (Selector selector = Selector.open()) {
            channel.register(selector, SelectionKey.OP_WRITE);
            while (taken < bytesMax && selector.select(stallMs) > 0) {
                selector.selectedKeys().clear();
                taken += channel.write(bytes);
                if (!bytes.hasRemaining()) {
                    number++;
                    bytes = chunkOf(line.apply(number));
                }
            }
        }
        return taken;
    }

    /** The next line of the answer. */
    JsonNode answer() throws IOException {
        String line = in.readLine();
        if (line == null) {
            throw new EOFException("the answer ended");
        }
        return Intake.JSON.readTree(line);
    }

    /** Goes away without a farewell. */
    void cut() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    /** What stands behind the headers. Chunks of an answer end anywhere, also in the middle of a line. */
    private static final class Body extends InputStream {

        private final InputStream raw;
        private boolean begun;
        private boolean chunked;
        private boolean ended;
        private long left;

        Body(InputStream raw) {
            this.raw = raw;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (!begun) {
                begin();
            }
            if (chunked && left == 0 && !ended) {
                nextChunk();
            }
            if (left == 0) {
                return -1;
            }
            int read = raw.read(bytes, offset, (int) Math.min(length, left));
            if (read < 0) {
                throw new EOFException("the connection ended in the middle of the answer");
            }
            left -= read;
            if (chunked && left == 0) {
                line();
            }
            return read;
        }

        private void begin() throws IOException {
            begun = true;
            for (String header = line(); !header.isEmpty(); header = line()) {
                String lower = header.toLowerCase(Locale.ROOT);
                chunked |= lower.equals("transfer-encoding: chunked");
                if (lower.startsWith("content-length:")) {
                    left = Long.parseLong(
                            lower.substring("content-length:".length()).strip());
                }
            }
        }

        private void nextChunk() throws IOException {
            left = Long.parseLong(line(), 16);
            ended = left == 0;
        }

        private String line() throws IOException {
            StringBuilder line = new StringBuilder();
            for (int character = raw.read(); character != '\n'; character = raw.read()) {
                if (character < 0) {
                    throw new EOFException("the connection ended in the middle of the answer");
                }
                if (character != '\r') {
                    line.append((char) character);
                }
            }
            return line.toString();
        }
    }
}
