package dev.postonce.ingest.batch;

import static dev.postonce.ingest.Intake.ALPHA;

import dev.postonce.ingest.Intake;
import java.io.BufferedReader;
import java.io.IOException;
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
        in = new BufferedReader(new InputStreamReader(Channels.newInputStream(channel), StandardCharsets.UTF_8));
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

    /** The next line of the answer, past headers and chunk sizes. */
    JsonNode answer() throws IOException {
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.startsWith("{")) {
                return Intake.JSON.readTree(line);
            }
        }
        throw new IOException("the answer ended");
    }

    /** Goes away without a farewell. */
    void cut() throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
