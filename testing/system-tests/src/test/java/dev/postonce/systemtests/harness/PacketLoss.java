package dev.postonce.systemtests.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Packets of some ways are lost, on loopback alone, as the kernel's packet filter loses them: {@code iptables} with its
 * random match, in a chain of this test JVM's own. Needs the right to change that filter.
 */
public final class PacketLoss implements AutoCloseable {

    /** The match takes no more. */
    private static final int PORTS_MAX = 15;

    private static final String CHAIN = Fork.own("postonce-loss");
    private static final boolean POSSIBLE = tried();

    private PacketLoss() {}

    public static boolean isPossible() {
        return POSSIBLE;
    }

    /** A kernel may lack the match, and whoever runs the test the right. */
    private static boolean tried() {
        removeChain();
        Ended made = run("-N", CHAIN);
        Ended ended = made.code() == 0 ? run(rule("1", 1)) : made;
        removeChain();
        if (ended.code() != 0) {
            System.out.println("packets cannot be lost here, and are not: " + ended.output());
            return false;
        }
        Runtime.getRuntime().addShutdownHook(new Thread(PacketLoss::removeChain, "end-packet-loss"));
        return true;
    }

    /** @param percent of the packets of each way, in both directions; connections are kept, and their bytes come late */
    public static PacketLoss on(List<TcpProxy> ways, int percent) {
        must("-N", CHAIN);
        List<String> ports =
                ways.stream().map(way -> Integer.toString(way.port())).toList();
        for (int from = 0; from < ports.size(); from += PORTS_MAX) {
            String some = String.join(",", ports.subList(from, Math.min(ports.size(), from + PORTS_MAX)));
            must(rule(some, percent));
        }
        must("-I", "INPUT", "-i", "lo", "-j", CHAIN);
        return new PacketLoss();
    }

    private static String[] rule(String ports, int percent) {
        return ("-A " + CHAIN + " -p tcp -m multiport --ports " + ports + " -m statistic --mode random --probability "
                        + percent / 100.0 + " -j DROP")
                .split(" ");
    }

    /** How many packets were lost so far. */
    public long lost() {
        return must("-L", CHAIN, "-v", "-x", "-n")
                .output()
                .lines()
                .filter(line -> line.contains("DROP"))
                .mapToLong(line -> Long.parseLong(line.trim().split("\\s+")[0]))
                .sum();
    }

    @Override
    public void close() {
        removeChain();
    }

    /** Also what a test JVM left that was killed. */
    private static void removeChain() {
        run("-D", "INPUT", "-i", "lo", "-j", CHAIN);
        run("-F", CHAIN);
        run("-X", CHAIN);
    }

    private record Ended(int code, String output) {}

    private static Ended must(String... arguments) {
        Ended ended = run(arguments);
        if (ended.code() != 0) {
            throw new IllegalStateException("iptables " + String.join(" ", arguments) + ": " + ended.output());
        }
        return ended;
    }

    /** Waits for whoever else changes the filter. */
    private static Ended run(String... arguments) {
        List<String> command = new ArrayList<>(List.of("iptables", "-w", "20"));
        command.addAll(List.of(arguments));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return new Ended(process.waitFor(), output.strip());
        } catch (IOException e) {
            return new Ended(-1, "cannot be run: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
