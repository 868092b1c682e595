package dev.postonce.standalone.up;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.contract.EventJson;
import dev.postonce.runtime.ApiKeyToken;
import dev.postonce.standalone.DevKeys;
import dev.postonce.standalone.Part;
import dev.postonce.standalone.PrivateFiles;
import dev.postonce.standalone.StackPorts;
import dev.postonce.standalone.StandaloneHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The files of the development tenant. */
class DevTenantTest {

    @TempDir
    Path directory;

    private StandaloneHome home;

    @BeforeEach
    void begin() {
        home = new StandaloneHome(directory);
        PrivateFiles.directory(home.run());
    }

    @Test
    void the_keys_for_clients_and_those_for_the_services_are_the_same() throws IOException {
        tenant().write(StackPorts.based(20_000));

        DevKeys keys = home.devKeys();
        JsonNode entry = read("bootstrap.json").path("tenants").path(0);
        assertThat(ApiKeyToken.parse(keys.apiKey().reveal())).isPresent();
        assertThat(entry.path("keys").path(0).path("token").asString())
                .isEqualTo(keys.apiKey().reveal());
        assertThat(entry.path("callback_secret").asString())
                .isEqualTo(keys.callbackSecret().reveal())
                .startsWith("whsec_");
        assertThat(keys.apiUrl()).isEqualTo("http://127.0.0.1:20000");
    }

    @Test
    void secrets_are_kept_by_the_next_start_and_addresses_follow_the_ports() throws IOException {
        tenant().write(StackPorts.based(20_000));
        DevKeys first = home.devKeys();

        tenant().write(StackPorts.based(30_000));

        DevKeys second = home.devKeys();
        assertThat(second.apiKey()).isEqualTo(first.apiKey());
        assertThat(second.callbackSecret()).isEqualTo(first.callbackSecret());
        assertThat(second.searchUrl()).isEqualTo("http://127.0.0.1:30002");
        assertThat(home.ports().of(Part.SANDBOX)).isEqualTo(30_010);
        assertThat(read("accounts.json").toString())
                .contains("127.0.0.1:30010/")
                .doesNotContain("20010");
    }

    @Test
    void what_the_user_wrote_into_the_accounts_stays() throws IOException {
        tenant().write(StackPorts.based(20_000));
        Path accounts = home.secrets().resolve("accounts.json");
        String own = "{\"tenants\":{\"dev\":{\"*\":{\"wordpress\":{\"base_url\":\"https://blog.example.com\"}}}}}";
        PrivateFiles.write(accounts, own);

        tenant().write(StackPorts.based(30_000));

        assertThat(Files.readString(accounts)).isEqualTo(own);
    }

    @Test
    void nobody_else_may_read_any_of_it() throws IOException {
        tenant().write(StackPorts.based(20_000));

        try (Stream<Path> files = Files.walk(home.root())) {
            assertThat(files.filter(Files::isRegularFile)).isNotEmpty().allSatisfy(file -> assertThat(
                            PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rw-------"));
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(home.secrets())))
                .isEqualTo("rwx------");
    }

    @Test
    void one_account_elsewhere_and_the_sandbox_is_not_alone_any_more() throws IOException {
        DevTenant tenant = tenant();
        tenant.write(StackPorts.based(20_000));
        int sandbox = StackPorts.based(20_000).of(Part.SANDBOX);
        assertThat(tenant.accountsAreAt(sandbox)).isTrue();

        String accounts = Files.readString(tenant.accountsFile());
        int last = accounts.lastIndexOf("http://127.0.0.1:" + sandbox);
        Files.writeString(
                tenant.accountsFile(),
                accounts.substring(0, last)
                        + accounts.substring(last).replace("http://127.0.0.1:" + sandbox, "https://blog.example.com"));
        assertThat(tenant.accountsAreAt(sandbox)).isFalse();

        Files.writeString(tenant.accountsFile(), "{");
        assertThat(tenant.accountsAreAt(sandbox)).isFalse();
    }

    private DevTenant tenant() {
        return new DevTenant(home, new DevSecrets(home, new SecureRandom()));
    }

    private JsonNode read(String file) throws IOException {
        return EventJson.mapper().readTree(Files.readString(home.secrets().resolve(file)));
    }
}
