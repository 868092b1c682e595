package dev.postonce.ingest.group;

import dev.postonce.ingest.group.GroupReading.Named;
import dev.postonce.ingest.group.GroupReading.Unreadable;
import java.math.BigInteger;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/** The names that a chat can have, once they are cut out of what was written. */
final class GroupNames {

    static final Set<String> RESERVED = Set.of(
            ("addemoji addlist addstickers addstyle addtheme auction auth bg boost c call confirmphone contact giftcode i"
                            + " invoice iv joinchat login m msg newbot nft proxy setlanguage share socks web a k z s www")
                    .split(" "));

    private static final Pattern NAME_CHARACTERS = Pattern.compile("[A-Za-z0-9_]+");
    private static final Pattern NAME_FORM = Pattern.compile("[A-Za-z](?:_?[A-Za-z0-9])*");
    private static final Pattern HASH_FORM = Pattern.compile("[A-Za-z0-9_-]{1,128}");
    static final Pattern DIGITS = Pattern.compile("[0-9]+");
    private static final int NAME_CHARACTERS_MIN = 4;
    private static final int NAME_CHARACTERS_MAX = 32;
    private static final int DIGITS_MAX = 40;

    private static final BigInteger BASIC_GROUP_MAX = BigInteger.valueOf(999_999_999_999L);
    private static final BigInteger CHANNEL_BASE = BigInteger.valueOf(1_000_000_000_000L);
    private static final BigInteger CHANNEL_MAX = BigInteger.valueOf(997_852_516_351L);

    private GroupNames() {}

    static GroupReading username(String text) {
        if (!NAME_CHARACTERS.matcher(text).matches()) {
            return new Unreadable("a username has only ASCII letters, digits and _");
        }
        if (!NAME_FORM.matcher(text).matches()) {
            return new Unreadable("a username begins with a letter, does not end with _ and has no two _ in a row");
        }
        if (text.length() > NAME_CHARACTERS_MAX || text.length() < NAME_CHARACTERS_MIN) {
            return new Unreadable(
                    "a username has " + NAME_CHARACTERS_MIN + " to " + NAME_CHARACTERS_MAX + " characters");
        }
        return new Named("u:" + text.toLowerCase(Locale.ROOT));
    }

    static boolean isUsername(String text) {
        return username(text) instanceof Named;
    }

    /** Invite hashes keep their case: another case is another chat. */
    static GroupReading invite(String hash) {
        if (DIGITS.matcher(hash).matches()) {
            return new Unreadable("it is a phone number, not an invite");
        }
        return HASH_FORM.matcher(hash).matches()
                ? new Named("i:" + hash)
                : new Unreadable("an invite hash has only A-Z a-z 0-9 _ -");
    }

    /** The number in {@code t.me/c/…} and {@code tg://privatepost}, which is a channel's own. */
    static GroupReading channel(String digits) {
        if (!DIGITS.matcher(digits).matches() || digits.length() > DIGITS_MAX) {
            return new Unreadable("a private channel's link holds its number");
        }
        BigInteger id = new BigInteger(digits);
        return id.signum() > 0 && id.compareTo(CHANNEL_MAX) <= 0
                ? new Named("c:" + id)
                : new Unreadable("no channel has this number");
    }

    /** A Bot API id. By arithmetic: gluing -100 to the digits is right for ten-digit ids only. */
    static GroupReading number(String text) {
        if (text.length() > DIGITS_MAX) {
            return new Unreadable("no chat has this number");
        }
        BigInteger id = new BigInteger(text);
        if (id.signum() >= 0) {
            return new Unreadable("a positive number is a user's, not a group's");
        }
        BigInteger size = id.negate();
        if (size.compareTo(BASIC_GROUP_MAX) <= 0) {
            return new Named("g:" + size);
        }
        BigInteger channel = size.subtract(CHANNEL_BASE);
        return channel.signum() > 0 && channel.compareTo(CHANNEL_MAX) <= 0
                ? new Named("c:" + channel)
                : new Unreadable("the number is that of a secret chat or another thing, not of a group or channel");
    }
}
