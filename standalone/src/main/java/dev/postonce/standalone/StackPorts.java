package dev.postonce.standalone;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The ports of one stack; all on loopback. */
public record StackPorts(Map<Part, Integer> ports, int kafkaController) {

    private static final int CONTROLLER_DEFAULT = 9093;
    private static final int CONTROLLER_OFFSET = 13;
    private static final int PORT_MAX = 65_535;

    public StackPorts {
        ports = Map.copyOf(ports);
        for (Part part : Part.values()) {
            Integer port = ports.get(part);
            if (port == null || port < 1 || port > PORT_MAX) {
                throw new IllegalArgumentException("the port of " + part.label() + " is 1 to 65535, not " + port);
            }
        }
    }

    /** The documented ports, moved by {@code POSTONCE_PORT_BASE}, each overruled by {@code POSTONCE_PORT_<PART>}. */
    public static StackPorts fromEnvironment(Map<String, String> environment) {
        String base = environment.getOrDefault("POSTONCE_PORT_BASE", "");
        StackPorts from = base.isEmpty() ? defaults() : based(base);
        Map<Part, Integer> ports = new EnumMap<>(from.ports);
        for (Part part : Part.values()) {
            String name = "POSTONCE_PORT_" + part.label().toUpperCase(Locale.ROOT);
            ports.put(part, number(environment, name, from.of(part)));
        }
        return new StackPorts(ports, number(environment, "POSTONCE_PORT_KAFKA_CONTROLLER", from.kafkaController));
    }

    public static StackPorts defaults() {
        Map<Part, Integer> ports = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            ports.put(part, part.defaultPort());
        }
        return new StackPorts(ports, CONTROLLER_DEFAULT);
    }

    /** @param base a number, from which each part has a fixed distance, or {@code auto} for ports that are free now */
    public static StackPorts based(String base) {
        return base.equals("auto") ? free() : based(parse("the port base", base));
    }

    public static StackPorts based(int base) {
        Map<Part, Integer> ports = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            ports.put(part, base + part.offset());
        }
        return new StackPorts(ports, base + CONTROLLER_OFFSET);
    }

    /** Ports that nobody listens on now, for tests and for several stacks on one machine. */
    public static StackPorts free() {
        List<ServerSocket> held = new ArrayList<>();
        try {
            Map<Part, Integer> ports = new EnumMap<>(Part.class);
            for (Part part : Part.values()) {
                ports.put(part, hold(held));
            }
            return new StackPorts(ports, hold(held));
        } catch (IOException e) {
            throw new UncheckedIOException("this machine gives no free port", e);
        } finally {
            for (ServerSocket socket : held) {
                close(socket);
            }
        }
    }

    public int of(Part part) {
        Integer port = ports.get(part);
        if (port == null) {
            throw new IllegalStateException("checked by the constructor");
        }
        return port;
    }

    public String url(Part part) {
        return "http://127.0.0.1:" + of(part);
    }

    public String kafkaBootstrap() {
        return "127.0.0.1:" + of(Part.KAFKA);
    }

    public String databaseUrl() {
        return "jdbc:postgresql://127.0.0.1:" + of(Part.POSTGRES) + "/postonce";
    }

    private static int hold(List<ServerSocket> held) throws IOException {
        ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        held.add(socket);
        return socket.getLocalPort();
    }

    private static void close(ServerSocket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static int number(Map<String, String> environment, String name, int otherwise) {
        String value = environment.getOrDefault(name, "");
        return value.isEmpty() ? otherwise : parse(name, value);
    }

    private static int parse(String what, String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(what + " is a port number, not " + text, e);
        }
    }
}
