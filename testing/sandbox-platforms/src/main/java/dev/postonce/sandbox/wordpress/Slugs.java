package dev.postonce.sandbox.wordpress;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/** How WordPress makes and bends slugs. */
final class Slugs {

    static final String TRASHED = "__trashed";

    private static final int BYTES_MAX = 200;
    private static final int TRASHED_BYTES_MAX = 191;
    private static final int TITLE_CHARACTERS_MAX = 4000;
    private static final Set<String> RESERVED = Set.of("feed", "rdf", "rss", "rss2", "atom", "embed");
    private static final String[][] LETTERS = {
        {"ß", "s"},
        {"æ", "ae"},
        {"Æ", "AE"},
        {"ø", "o"},
        {"Ø", "O"},
        {"œ", "oe"},
        {"Œ", "OE"},
        {"đ", "d"},
        {"Đ", "D"},
        {"ð", "d"},
        {"Ð", "D"},
        {"þ", "th"},
        {"Þ", "TH"},
        {"ł", "l"},
        {"Ł", "L"},
        {"ı", "i"},
        {"€", "E"}
    };

    private Slugs() {}

    /** ASCII: accents off, what is left beyond it percent-encoded, and cut at 200 bytes between characters. */
    static String sanitize(String title) {
        String text = title.substring(0, Math.min(title.length(), TITLE_CHARACTERS_MAX));
        text = removeAccents(text.replaceAll("<[^>]*>", ""));
        text = encode(text.replaceAll("%(?![a-fA-F0-9]{2})", "").toLowerCase(Locale.ROOT));
        text = text.replaceAll("%c2%a0|%e2%80%9[34]|/", "-")
                .replaceAll("%c2%(a1|bf|ab|bb|ad|a9|ae|b0|b4)|%e2%80%(9[89a-f]|a2|a6|8[b-f]|a[a-e]|b9|ba)", "")
                .replaceAll("&.+?;", "")
                .replace('.', '-')
                .replaceAll("[^%a-z0-9 _-]", "")
                .replaceAll("[\\s-]+", "-");
        return text.replaceAll("^-+|-+$", "");
    }

    private static String removeAccents(String text) {
        String replaced = text;
        for (String[] letter : LETTERS) {
            replaced = replaced.replace(letter[0], letter[1]);
        }
        String decomposed = Normalizer.normalize(replaced, Normalizer.Form.NFD);
        StringBuilder plain = new StringBuilder();
        for (int i = 0; i < decomposed.length(); i++) {
            char c = decomposed.charAt(i);
            // Only marks over Latin letters are accents; those of other scripts belong to their letters.
            boolean accent = c >= 0x300 && c <= 0x36f && i > 0 && isLatin(decomposed.charAt(i - 1), plain);
            if (!accent) {
                plain.append(c);
            }
        }
        return Normalizer.normalize(plain, Normalizer.Form.NFC);
    }

    private static boolean isLatin(char before, StringBuilder plain) {
        return before < 0x250 || (plain.length() > 0 && plain.charAt(plain.length() - 1) < 0x250);
    }

    private static String encode(String text) {
        StringBuilder encoded = new StringBuilder();
        int[] codePoints = text.codePoints().toArray();
        for (int codePoint : codePoints) {
            StringBuilder piece = new StringBuilder();
            if (codePoint < 0x80) {
                piece.append((char) codePoint);
            } else {
                byte[] bytes = new String(Character.toChars(codePoint)).getBytes(StandardCharsets.UTF_8);
                for (byte b : bytes) {
                    piece.append(String.format(Locale.ROOT, "%%%02x", b & 0xff));
                }
            }
            if (encoded.length() + piece.length() > BYTES_MAX) {
                break;
            }
            encoded.append(piece);
        }
        return encoded.toString();
    }

    /** Appends -2, -3, … until nobody has it; silently, as WordPress does. */
    static String unique(String slug, boolean countsAsTaken, Predicate<String> taken) {
        // Names of feeds, and bare numbers, which would read as years, are never given out.
        boolean refused = countsAsTaken || RESERVED.contains(slug) || slug.matches("[0-9]+");
        if (!refused && !taken.test(slug)) {
            return slug;
        }
        for (int number = 2; ; number++) {
            String suffix = "-" + number;
            String candidate = cut(slug, BYTES_MAX - suffix.length()) + suffix;
            if (!taken.test(candidate)) {
                return candidate;
            }
        }
    }

    static String trashed(String slug) {
        return slug.endsWith(TRASHED) ? slug : cut(slug, TRASHED_BYTES_MAX) + TRASHED;
    }

    /** Never through a percent-encoded byte. */
    private static String cut(String slug, int bytesMax) {
        if (slug.length() <= bytesMax) {
            return slug;
        }
        String shorter = slug.substring(0, bytesMax).replaceAll("%[0-9a-f]?$", "");
        return shorter.replaceAll("-+$", "");
    }
}
