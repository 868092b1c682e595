package dev.postonce.ingest.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postonce.ingest.group.GroupReading.Named;
import dev.postonce.ingest.group.GroupReading.Unreadable;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroupIdsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "@Some_Group",
                "some_group",
                "t.me/Some_Group/",
                "HTTPS://T.ME/some_group?x=1#y",
                "http://www.telegram.me/SOME_GROUP",
                "telegram.dog/some_group",
                "tg://resolve?domain=Some_Group",
                "TG:resolve?domain=some_group&post=7",
                "t.me/s/Some_Group",
                "https://t.me/some_group/123?single",
                "t.me/some%5Fgroup",
                "＠Ｓｏｍｅ＿Ｇｒｏｕｐ",
                "ｈｔｔｐｓ：／／ｔ．ｍｅ／some_group",
                "t。me/some_group",
                "https://t.me:443/some_group",
                "http://t.me:80/some_group",
                "@@Some_Group",
                "  @some_group  ",
                "\u200b@some_group\ufeff",
                "\u202a@some_group\u202c",
                "<https://t.me/some_group>",
                "（@some_group）",
                "「t.me/some_group」",
                "“@some_group”。",
                "《https://t.me/some_group》，",
                "t.me/some_group.",
                "@some_group!",
                "t.me/s/s/some_group",
                "t.me/%73/some_group",
                "t.me/@some_group",
                "t.me/some_group/5/77",
                "t.me/some_group/0",
                "t.me/some_group/s/12",
                "t.me/some_group?boost",
                "t.me/boost/some_group",
                "t.me/some_group?start=abc&utm_source=x",
                "www.t.me/some_group",
                "https://www%2Et.me/some_group",
                "t｡me/some_group",
                "tg:resolve?domain=@some_group",
                "tg://resolve/?domain=some_group",
                "t.me/some_group #and a remark",
                "https://some_group.t.me",
                "HTTP://SOME_GROUP.T.ME/12",
            })
    void spellings_of_one_username_are_one_group(String written) {
        assertThat(GroupIds.read(written)).isEqualTo(new Named("u:some_group"));
    }

    @ParameterizedTest
    @CsvSource({
        "https://newsdesk.t.me, u:newsdesk",
        "NewsDesk.t.me/12, u:newsdesk",
        "t.me/joinchat/AbC-d_E1, i:AbC-d_E1",
        "https://t.me/+AbC-d_E1, i:AbC-d_E1",
        "tg://join?invite=AbC-d_E1, i:AbC-d_E1",
        "t.me/%20AbC-d_E1, i:AbC-d_E1",
        "telegram.me/s/joinchat/AbC-d_E1, i:AbC-d_E1",
        "t.me/%2BAbC-d_E1, i:AbC-d_E1",
        "t.me/joinchat/AbC-d_E1/more, i:AbC-d_E1",
        "t.me/+abc-d_e1, i:abc-d_e1",
        "t.me/c/1234567890/55, c:1234567890",
        "t.me/c/1234567890/5/55, c:1234567890",
        "t.me/c/1234567890, c:1234567890",
        "-1001234567890, c:1234567890",
        "tg://privatepost?channel=1234567890&post=55, c:1234567890",
        "t.me/boost?c=1234567890, c:1234567890",
        "-1000000000001, c:1",
        "-1997852516351, c:997852516351",
        "-1010000000000, c:10000000000",
        "-123456, g:123456",
        "-999999999999, g:999999999999",
        "－１００１２３４５６７８９０, c:1234567890",
        "ABCD, u:abcd",
    })
    void each_form_has_its_key(String written, String key) {
        assertThat(GroupIds.read(written)).isEqualTo(new Named(key));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "t.me/+8613800000000",
                "t.me/joinchat/123456",
                "t.me/share/url?url=https://example.com",
                "t.me/addstickers/x",
                "t.me/addlist/AbC",
                "proxy.t.me",
                "t.me/iv?url=https://example.com",
                "t.me/0abc",
                "t.me/_abc",
                "t.me/abc_",
                "t.me/ab__cd",
                "t.me/a23456789012345678901234567890123",
                "t.me/аbсd",
                "https://user@t.me/some_group",
                "https://t.me:8080/some_group",
                "https://t.me.example.com/some_group",
                "www%252Et.me/some_group",
                "https://web.t.me/some_group",
                "https://k.t.me/some_group",
                "https://abc.t.me",
                "t.me",
                "t.me/",
                "t.me//some_group",
                "t.me/s/",
                "t.me/s",
                "t.me/c/abc/5",
                "t.me/c/0/5",
                "t.me/boost",
                "t.me/some%5",
                "t.me/%zz",
                "t.me/some group",
                "t.me/some.group",
                "https://[::1]/some_group",
                "https://example.com/some_group",
                "mailto:some_group@t.me",
                "ftp://t.me/some_group",
                "tg://openmessage?user_id=5",
                "tg://user?id=5",
                "tg:resolve",
                "tg:join?invite=123456",
                "123456789",
                "0",
                "-1000000000000",
                "-1997852516352",
                "-2000000000000",
                "-99999999999999999999",
                "@",
                "@abc",
                "@some-group",
                "@some_group_",
                "#some_group",
                "()",
                ".",
                "、",
                "two words",
                "群组",
                "tsome_group\u0430",
            })
    void what_names_no_group_is_refused_with_a_reason(String written) {
        assertThat(GroupIds.read(written))
                .isInstanceOfSatisfying(Unreadable.class, unreadable -> assertThat(unreadable.reason())
                        .isNotBlank());
    }

    @Test
    void look_alikes_that_compatibility_folding_makes_ascii_are_the_ascii_name() {
        // The Kelvin sign and the long s fold to K and s; a Cyrillic letter stays and is refused.
        assertThat(GroupIds.read("@new\u212aey\u017f")).isEqualTo(new Named("u:newkeys"));
        assertThat(GroupIds.read("@newkey\u0455")).isInstanceOf(Unreadable.class);
    }

    @Test
    void lower_case_does_not_depend_on_the_machine() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.forLanguageTag("tr"));
            assertThat(GroupIds.read("@NIGHTINGALE")).isEqualTo(new Named("u:nightingale"));
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void anything_is_read_or_refused_and_a_key_reads_as_itself() {
        long seed = 20261129L;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        String[] parts = {
            "t.me",
            "/",
            "@",
            "tg:",
            "resolve?domain=",
            "%",
            "%2F",
            "+",
            "joinchat",
            "c/",
            "-100",
            "Some_Group",
            "。",
            "?",
            "#",
            ":443",
            "s/",
            " ",
            "\u200b",
            "双11",
            "\ud800",
            "[",
            "x".repeat(40),
            "www.",
            "https://",
            ".",
            "9"
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int part = random.nextInt(7); part >= 0; part--) {
                text.append(parts[random.nextInt(parts.length)]);
            }
            GroupReading reading = GroupIds.read(text.toString());
            if (reading instanceof Named named && named.key().startsWith("u:")) {
                assertThat(GroupIds.read("@" + named.key().substring(2))).isEqualTo(reading);
            }
        }
    }
}
