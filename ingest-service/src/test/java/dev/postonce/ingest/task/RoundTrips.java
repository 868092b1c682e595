package dev.postonce.ingest.task;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands between one client and PostgreSQL, and counts how often the server says that it is ready again: once for each
 * round trip. The connection must be a plain one.
 */
final class RoundTrips implements AutoCloseable {

    private static final int READY_FOR_QUERY = 'Z';
    private static final int LENGTH_BYTES = 4;

    private final ServerSocket door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    private final ExecutorService threads = Executors.newFixedThreadPool(2);
    private final AtomicInteger count = new AtomicInteger();
    private final Socket server;

    RoundTrips(String host, int port) throws IOException {
        server = new Socket(host, port);
        server.setTcpNoDelay(true);
        threads.execute(this::serve);
    }

    int port() {
        return door.getLocalPort();
    }

    int count() {
        return count.get();
    }

    private void serve() {
        try (Socket client = door.accept()) {
            client.setTcpNoDelay(true);
            threads.execute(() -> answers(client));
            InputStream in = client.getInputStream();
            byte[] buffer = new byte[65_536];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                server.getOutputStream().write(buffer, 0, read);
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    private void answers(Socket client) {
        try {
            DataInputStream in = new DataInputStream(server.getInputStream());
            DataOutputStream out = new DataOutputStream(client.getOutputStream());
            for (int type = in.read(); type >= 0; type = in.read()) {
                int length = in.readInt();
                byte[] body = in.readNBytes(length - LENGTH_BYTES);
                if (type == READY_FOR_QUERY) {
                    count.incrementAndGet();
                }
                out.writeByte(type);
                out.writeInt(length);
                out.write(body);
                if (in.available() == 0) {
                    out.flush();
                }
            }
        } catch (IOException e) {
            // The test is over.
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        server.close();
        threads.shutdownNow();
    }
}
