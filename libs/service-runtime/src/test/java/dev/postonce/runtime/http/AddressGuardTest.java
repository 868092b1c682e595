package dev.postonce.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0.0.0.0",
                "0.1.2.3",
                "10.0.0.1",
                "10.255.255.255",
                "100.64.0.1",
                "100.127.255.255",
                "127.0.0.1",
                "127.255.255.254",
                "169.254.0.1",
                "169.254.169.254",
                "172.16.0.1",
                "172.31.255.255",
                "192.0.0.1",
                "192.0.2.1",
                "192.88.99.1",
                "192.168.0.1",
                "198.18.0.1",
                "198.19.255.255",
                "198.51.100.1",
                "203.0.113.1",
                "224.0.0.1",
                "239.255.255.255",
                "240.0.0.1",
                "255.255.255.255",
                "::",
                "::1",
                "::127.0.0.1",
                "::10.0.0.1",
                "::ffff:127.0.0.1",
                "::ffff:169.254.169.254",
                "::ffff:0:10.0.0.1",
                "64:ff9b::10.0.0.1",
                "64:ff9b::127.0.0.1",
                "64:ff9b:1::8.8.8.8",
                "64:ff9b:1:ffff::8.8.8.8",
                "100::1",
                "2001::1",
                "2001:0:5ef5:79fb:0:59c:f5ff:fffe",
                "2001:2::1",
                "2001:10::1",
                "2001:20::1",
                "2001:db8::1",
                "2002:7f00:1::",
                "2002:a00:1::1",
                "2002:c0a8:101::1",
                "3fff::1",
                "3fff:fff::1",
                "4000::1",
                "5f00::1",
                "fc00::1",
                "fd00:ec2::254",
                "fe80::1",
                "fec0::1",
                "ff02::1",
                "ff0e::1"
            })
    void an_address_that_leads_inside_is_refused(String address) throws UnknownHostException {
        assertThat(AddressGuard.isPublic(InetAddress.getByName(address))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1.1.1.1",
                "8.8.8.8",
                "100.63.255.255",
                "100.128.0.1",
                "172.15.255.255",
                "172.32.0.1",
                "192.0.1.1",
                "198.17.255.255",
                "223.255.255.255",
                "2606:4700::1111",
                "2400:3200::1",
                "2001:4860:4860::8888",
                "2002:808:808::1",
                "64:ff9b::8.8.8.8",
                "::ffff:8.8.8.8"
            })
    void a_public_address_is_allowed(String address) throws UnknownHostException {
        assertThat(AddressGuard.isPublic(InetAddress.getByName(address))).isTrue();
    }

    @Test
    void the_switch_opens_loopback_only() throws UnknownHostException {
        OutgoingPolicy policy = OutgoingPolicy.loopbackToo(Duration.ofSeconds(1), 100);
        assertThat(AddressGuard.isAllowed(InetAddress.getByName("127.0.0.1"), policy))
                .isTrue();
        assertThat(AddressGuard.isAllowed(InetAddress.getByName("::1"), policy)).isTrue();
        assertThat(AddressGuard.isAllowed(InetAddress.getByName("0.0.0.0"), policy))
                .isFalse();
        assertThat(AddressGuard.isAllowed(InetAddress.getByName("10.0.0.1"), policy))
                .isFalse();
        assertThat(AddressGuard.isAllowed(InetAddress.getByName("169.254.169.254"), policy))
                .isFalse();
    }
}
