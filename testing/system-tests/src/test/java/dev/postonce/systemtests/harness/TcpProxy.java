package dev.postonce.systemtests.harness;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A TCP link that can be made bad: it stands between one client and one server, and does to their bytes what its
 * {@link LinkFault} says, to connections that are open and to those that come.
 */
public final class TcpProxy implements Closeable {

    private static final int CHUNK_BYTES = 16 * 1024;
    private static final int CONNECT_MS_MAX = 5_000;
    private static final int RESET_ONE_IN = 20;
    private static final long STEP_NANOS = 5_000_000;

    private final String name;
    private final ServerSocket listening;
    private final Random random;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong harmed = new AtomicLong();
    private volatile int targetPort;
    private volatile LinkFault fault = LinkFault.NONE;
    private volatile boolean closed;

    public TcpProxy(String name, int targetPort, long seed) {
        this.name = name;
        this.targetPort = targetPort;
        this.random = new Random(seed);
        try {
            this.listening = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        start("accept", this::accept);
    }

    public int port() {
        return listening.getLocalPort();
    }

    public void target(int port) {
        this.targetPort = port;
    }

    /** How many connections or chunks suffered so far: a fault that touched nothing proves nothing. */
    public long harmed() {
        return harmed.get();
    }

    public LinkFault fault() {
        return fault;
    }

    public void fault(LinkFault next) {
        LinkFault before = fault;
        fault = next;
        for (Connection connection : connections) {
            // Where bytes are missing, what follows makes no sense to its reader.
            if (next.mode() == LinkFault.Mode.RESET || connection.gutted || before.mode() == LinkFault.Mode.RESET) {
                connection.reset();
                harmed.incrementAndGet();
            }
        }
    }

    /** Ends every open connection; the next ones are served. */
    public void breakOpen() {
        fault(LinkFault.of(LinkFault.Mode.RESET));
        heal();
    }

    public void heal() {
        fault(LinkFault.NONE);
    }

    @Override
    public void close() {
        closed = true;
        try {
            listening.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        connections.forEach(Connection::reset);
    }

    private void accept() {
        while (!closed) {
            try {
                Socket client = listening.accept();
                start("open", () -> open(client));
            } catch (IOException e) {
                if (!closed) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void open(Socket client) {
        Connection connection = new Connection(client, new Socket());
        connections.add(connection);
        try {
            if (fault.mode() == LinkFault.Mode.RESET) {
                harmed.incrementAndGet();
                connection.reset();
                return;
            }
            awaitPassage(connection, true);
            connection.server.setTcpNoDelay(true);
            client.setTcpNoDelay(true);
            connection.server.connect(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), targetPort), CONNECT_MS_MAX);
        } catch (IOException e) {
            connection.reset();
            return;
        }
        start("answers", () -> pump(connection, false));
        pump(connection, true);
    }

    private void pump(Connection connection, boolean fromClient) {
        byte[] chunk = new byte[CHUNK_BYTES];
        Socket from = fromClient ? connection.client : connection.server;
        Socket to = fromClient ? connection.server : connection.client;
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
                awaitPassage(connection, fromClient);
                if (pass(connection, fromClient, read)) {
                    out.write(chunk, 0, read);
                }
            }
            to.shutdownOutput();
            if (fromClient ? connection.answersEnded : connection.requestsEnded) {
                connection.closeQuietly();
            } else if (fromClient) {
                connection.requestsEnded = true;
            } else {
                connection.answersEnded = true;
            }
        } catch (IOException e) {
            connection.reset();
        }
    }

    /** Whether the chunk goes on its way. */
    private boolean pass(Connection connection, boolean fromClient, int bytes) throws IOException {
        LinkFault now = fault;
        if (now.delayMsMax() > 0) {
            harmed.incrementAndGet();
            park(now.delayMsMin() + draw(now.delayMsMax() - now.delayMsMin() + 1));
        }
        if (now.bytesPerSecond() > 0) {
            harmed.incrementAndGet();
            park(bytes * 1000L / now.bytesPerSecond());
        }
        if (now.mode() == LinkFault.Mode.RESET_MIDWAY && draw(RESET_ONE_IN) == 0) {
            harmed.incrementAndGet();
            throw new IOException("reset on purpose");
        }
        if (now.mode() == LinkFault.Mode.SWALLOW_ANSWERS && !fromClient) {
            harmed.incrementAndGet();
            connection.gutted = true;
            return false;
        }
        return !connection.gutted || fromClient;
    }

    private void awaitPassage(Connection connection, boolean fromClient) throws IOException {
        if (fault.holds(fromClient)) {
            harmed.incrementAndGet();
            while (fault.holds(fromClient)) {
                LockSupport.parkNanos(STEP_NANOS);
                if (closed || connection.client.isClosed()) {
                    throw new IOException(name + " is closed");
                }
            }
        }
    }

    private static void park(long ms) {
        long end = System.nanoTime() + ms * 1_000_000;
        for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private int draw(int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }

    private void start(String what, Runnable work) {
        Thread thread = new Thread(work, "proxy-" + name + "-" + what);
        thread.setDaemon(true);
        thread.start();
    }

    private final class Connection {

        private final Socket client;
        private final Socket server;
        private volatile boolean gutted;
        private volatile boolean requestsEnded;
        private volatile boolean answersEnded;

        Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        /** With RST instead of FIN, as when a host is gone. */
        void reset() {
            for (Socket socket : new Socket[] {client, server}) {
                try {
                    socket.setSoLinger(true, 0);
                } catch (IOException e) {
                    // Closed already, which is what is wanted.
                }
            }
            closeQuietly();
        }

        void closeQuietly() {
            connections.remove(this);
            for (Socket socket : new Socket[] {client, server}) {
                try {
                    socket.close();
                } catch (IOException e) {
                    // Closed already, which is what is wanted.
                }
            }
        }
    }
}
