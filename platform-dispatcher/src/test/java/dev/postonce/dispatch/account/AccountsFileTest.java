package dev.postonce.dispatch.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postonce.contract.Platform;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AccountsFileTest {

    private static final String FILE =
            """
            {"tenants":{"dev":{
              "brand":{"wordpress":{"account":"main","base_url":"https://blog.example.com/","username":"u","password":"%s"}},
              "*":{"webhook":{"account":"hook","url":"https://hook.example.com/x","secret":"env:HOOK"},
                   "zhihu":{"account":"z"}}}}}
            """;

    private final CredentialReader credentials = new CredentialReader(Map.of("HOOK", "whsec_abc")::get, false);

    @Test
    void a_group_code_s_own_account_comes_first_then_the_one_for_all() {
        AccountsFile plain =
                AccountsFile.parse(FILE.formatted("pw"), new CredentialReader(Map.of("HOOK", "s")::get, true));
        assertThat(plain.choose("dev", "brand", Platform.WORDPRESS))
                .isInstanceOfSatisfying(AccountBook.Choice.Found.class, found -> assertThat(
                                ((WordPressAccount) found.account()).baseUrl())
                        .isEqualTo("https://blog.example.com"));
        assertThat(plain.choose("dev", "brand", Platform.WEBHOOK)).isInstanceOf(AccountBook.Choice.Found.class);
        assertThat(plain.choose("dev", "other", Platform.WORDPRESS))
                .isEqualTo(new AccountBook.Choice.Missing("account_missing"));
        assertThat(plain.choose("stranger", "brand", Platform.WORDPRESS))
                .isEqualTo(new AccountBook.Choice.Missing("account_missing"));
        assertThat(plain.choose("dev", "brand", Platform.ZHIHU)).isInstanceOf(AccountBook.Choice.Missing.class);
        assertThat(plain.named("dev", Platform.WEBHOOK, "hook")).isPresent();
        assertThat(plain.named("stranger", Platform.WEBHOOK, "hook")).isEmpty();
    }

    @Test
    void a_missing_credential_is_not_configured_and_never_plain_text(@TempDir Path folder) throws Exception {
        AccountsFile refused = AccountsFile.parse(FILE.formatted("in plain text"), credentials);
        assertThat(refused.choose("dev", "brand", Platform.WORDPRESS))
                .isEqualTo(new AccountBook.Choice.Missing("credential_missing"));
        Path file = Files.writeString(folder.resolve("pw"), "secret word\n");
        AccountsFile read = AccountsFile.parse(FILE.formatted("file:" + file), credentials);
        assertThat(read.choose("dev", "brand", Platform.WORDPRESS))
                .isInstanceOfSatisfying(AccountBook.Choice.Found.class, found -> {
                    WordPressAccount account = (WordPressAccount) found.account();
                    assertThat(account.password().reveal()).isEqualTo("secret word");
                    assertThat(account.toString()).doesNotContain("secret word");
                });
    }

    @Test
    void a_broken_file_stops_the_start_without_quoting_it() {
        assertThatThrownBy(() -> AccountsFile.parse("{\"tenants\": hunter2", credentials))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageNotContaining("hunter2")
                .hasNoCause();
        assertThatThrownBy(() -> AccountsFile.parse(
                        "{\"tenants\":{\"dev\":{\"*\":{\"wordpress\":{\"account\":\"a\"}}}}}", credentials))
                .hasMessageContaining("base_url");
        assertThatThrownBy(() -> AccountsFile.parse("{\"tenants\":{\"dev\":{\"*\":{\"myspace\":{}}}}}", credentials))
                .hasMessageContaining("myspace");
    }
}
