package dev.postonce.systemtests.harness;

import dev.postonce.standalone.Part;
import dev.postonce.standalone.StackPorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * Ports that nobody listens on now. They lie below those that the kernel gives to outgoing connections: a service that is
 * started again would else find its port taken by somebody's connection to somewhere else.
 */
final class FreePorts {

    private static final int LOWEST = 12_000;
    private static final int HIGHEST = 32_000;
    /** Test JVMs side by side take none of each other's. */
    private static final int FORKS_MAX = 4;

    private static final Random RANDOM = new SecureRandom();
    private static final Set<Integer> GIVEN = new HashSet<>();

    private FreePorts() {}

    /** None is given twice by one process. */
    static synchronized List<Integer> take(int count) {
        List<Integer> ports = new ArrayList<>();
        while (ports.size() < count) {
            int port = LOWEST + FORKS_MAX * RANDOM.nextInt((HIGHEST - LOWEST) / FORKS_MAX) + Fork.number() % FORKS_MAX;
            if (GIVEN.add(port) && isFree(port)) {
                ports.add(port);
            }
        }
        return ports;
    }

    static StackPorts ofStack() {
        List<Integer> free = take(Part.values().length + 1);
        Map<Part, Integer> ports = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            ports.put(part, free.remove(0));
        }
        return new StackPorts(ports, free.remove(0));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
