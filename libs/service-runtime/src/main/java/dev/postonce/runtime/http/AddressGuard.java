package dev.postonce.runtime.http;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Tells whether an address is public unicast, whatever dress it comes in. */
final class AddressGuard {

    private AddressGuard() {}

    static boolean isAllowed(InetAddress address, OutgoingPolicy policy) {
        if (address.isLoopbackAddress()) {
            return policy.allowLoopback();
        }
        return isPublic(address);
    }

    static boolean isPublic(InetAddress address) {
        if (address.isAnyLocalAddress()
                || address.isLoopbackAddress()
                || address.isLinkLocalAddress()
                || address.isSiteLocalAddress()
                || address.isMulticastAddress()) {
            return false;
        }
        return address instanceof Inet4Address ? isPublicV4(address.getAddress()) : isPublicV6((Inet6Address) address);
    }

    private static boolean isPublicV4(byte[] b) {
        int first = b[0] & 0xff;
        int second = b[1] & 0xff;
        int third = b[2] & 0xff;
        boolean special = first == 0 // this network
                || first == 10
                || first == 127
                || (first == 100 && second >= 64 && second < 128) // carrier-grade NAT
                || (first == 169 && second == 254) // link-local, cloud metadata
                || (first == 172 && second >= 16 && second < 32)
                || (first == 192 && second == 168)
                || (first == 192 && second == 0 && (third == 0 || third == 2)) // protocol assignments, documentation
                || (first == 192 && second == 88 && third == 99) // 6to4 relays
                || (first == 198 && (second == 18 || second == 19)) // benchmarks
                || (first == 198 && second == 51 && third == 100)
                || (first == 203 && second == 0 && third == 113)
                || first >= 224;
        return !special;
    }

    private static boolean isPublicV6(Inet6Address address) {
        byte[] b = address.getAddress();
        if (isLocalNat64(b)) {
            return false;
        }
        if (isEmbeddingPrefix(b)) {
            // IPv4-compatible, NAT64 and 6to4 addresses carry a v4 address, which may lead inside.
            return embeddedV4IsPublic(b);
        }
        boolean global = (b[0] & 0xe0) == 0x20; // 2000::/3 is all that is given out
        boolean documentation = (b[0] == 0x20 && b[1] == 0x01 && b[2] == 0x0d && (b[3] & 0xff) == 0xb8)
                || (b[0] == 0x3f && (b[1] & 0xff) == 0xff && (b[2] & 0xf0) == 0);
        // 2001::/23 holds Teredo, ORCHID, benchmarks and other protocols: no site of a stranger.
        boolean protocolAssignments = b[0] == 0x20 && b[1] == 0x01 && (b[2] & 0xfe) == 0;
        return global && !documentation && !protocolAssignments;
    }

    /** 64:ff9b:1::/48, whose translation only its own network knows. */
    private static boolean isLocalNat64(byte[] b) {
        boolean nat64 = b[0] == 0 && b[1] == 0x64 && (b[2] & 0xff) == 0xff && (b[3] & 0xff) == 0x9b;
        boolean wellKnown = true;
        for (int i = 4; i < 12; i++) {
            wellKnown &= b[i] == 0;
        }
        return nat64 && !wellKnown;
    }

    private static boolean isEmbeddingPrefix(byte[] b) {
        boolean sixToFour = b[0] == 0x20 && b[1] == 0x02;
        boolean nat64 = b[0] == 0 && b[1] == 0x64 && (b[2] & 0xff) == 0xff && (b[3] & 0xff) == 0x9b;
        boolean firstTwelveZero = true;
        for (int i = 0; i < 12; i++) {
            firstTwelveZero &= b[i] == 0 || (i >= 10 && (b[i] & 0xff) == 0xff);
        }
        return sixToFour || nat64 || firstTwelveZero;
    }

    private static boolean embeddedV4IsPublic(byte[] b) {
        byte[] v4 = b[0] == 0x20 ? Arrays.copyOfRange(b, 2, 6) : Arrays.copyOfRange(b, 12, 16);
        try {
            return isPublic(InetAddress.getByAddress(v4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
