package dev.postonce.ingest.group;

import dev.postonce.ingest.group.GroupReading.Unreadable;
import java.net.URLDecoder;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads a group's identifier in any of its spellings. What one spelling means never depends on another, on a look-up
 * or on a guess; what names no group, or more than one, is refused with its reason.
 */
public final class GroupIds {

    private static final Set<String> HOSTS = Set.of("t.me", "telegram.me", "telegram.dog");
    private static final String SUBDOMAIN_OF = ".t.me";
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]+");
    private static final Pattern TG = Pattern.compile("(?i)tg:(?://)?([^?]*)(?:\\?(.*))?");
    private static final Pattern WEB = Pattern.compile("(?i)(?:https?://)?([^/?]*)([^?]*)(?:\\?(.*))?");
    private static final Pattern PREVIEW = Pattern.compile("/(?:s|%73)(?=/)");
    private static final Pattern ENDS_IN_PUNCTUATION = Pattern.compile("[.,;!，。；！]+$");
    private static final Pattern BROKEN_ESCAPE = Pattern.compile("%(?![0-9A-Fa-f]{2})");
    private static final String OPENING = "<([{\"'“《「‘";
    private static final String CLOSING = ">)]}\"'”》」’";

    private GroupIds() {}

    public static GroupReading read(String written) {
        String text = trimmed(withoutInvisible(Normalizer.normalize(written, Normalizer.Form.NFKC)));
        int fragment = text.indexOf('#');
        if (fragment >= 0) {
            text = trimmed(text.substring(0, fragment));
        }
        if (text.isEmpty()) {
            return new Unreadable("nothing is left of it");
        }
        if (text.startsWith("@")) {
            return GroupNames.username(text.replaceFirst("^@+", ""));
        }
        if (NUMBER.matcher(text).matches()) {
            return GroupNames.number(text);
        }
        Matcher tg = TG.matcher(text);
        if (tg.matches()) {
            return ofTg(tg.group(1), Query.of(tg.group(2)));
        }
        // The field is known to hold an identifier, so a bare word is a username.
        if (!text.contains(".") && !text.contains("/") && !text.contains(":")) {
            return GroupNames.username(text);
        }
        return ofWeb(text);
    }

    /** Zero-width characters, bidirectional controls, byte order marks. */
    private static String withoutInvisible(String text) {
        StringBuilder visible = new StringBuilder(text.length());
        text.codePoints()
                .filter(point -> Character.getType(point) != Character.FORMAT)
                .forEach(visible::appendCodePoint);
        return visible.toString();
    }

    private static String trimmed(String text) {
        String before;
        String now = text;
        do {
            before = now;
            now = ENDS_IN_PUNCTUATION.matcher(now.strip()).replaceFirst("");
            int last = now.length() - 1;
            if (last > 0 && OPENING.indexOf(now.charAt(0)) >= 0) {
                if (CLOSING.charAt(OPENING.indexOf(now.charAt(0))) == now.charAt(last)) {
                    now = now.substring(1, last);
                }
            }
        } while (!now.equals(before));
        return now;
    }

    private static GroupReading ofTg(String path, Query query) {
        return switch (path.replaceFirst("/+$", "").toLowerCase(Locale.ROOT)) {
            case "resolve" ->
                query.value("domain")
                        .map(domain -> GroupNames.username(withoutAt(domain)))
                        .orElseGet(() -> new Unreadable("the tg:resolve link names no domain"));
            case "join" ->
                query.value("invite")
                        .map(GroupNames::invite)
                        .orElseGet(() -> new Unreadable("the tg:join link holds no invite"));
            case "privatepost" ->
                query.value("channel")
                        .map(GroupNames::channel)
                        .orElseGet(() -> new Unreadable("the tg:privatepost link names no channel"));
            default -> new Unreadable("this kind of tg: link leads to no group");
        };
    }

    private static GroupReading ofWeb(String text) {
        Matcher web = WEB.matcher(text);
        if (!web.matches()) {
            return new Unreadable("it is no identifier of a group");
        }
        Optional<String> host = hostOf(web.group(1));
        if (host.isEmpty()) {
            return new Unreadable("it is not a Telegram link");
        }
        Query query = Query.of(web.group(3));
        if (HOSTS.contains(host.get())) {
            return ofPath(web.group(2), query);
        }
        if (host.get().endsWith(SUBDOMAIN_OF)) {
            String label = host.get().substring(0, host.get().length() - SUBDOMAIN_OF.length());
            if (GroupNames.isUsername(label) && !GroupNames.RESERVED.contains(label)) {
                return ofSegments(("/" + label + web.group(2)), query);
            }
        }
        return new Unreadable("it is not a Telegram link");
    }

    /** Lower case, without {@code www.} and the port; empty where Telegram is surely not meant. */
    private static Optional<String> hostOf(String authority) {
        if (authority.indexOf('@') >= 0 || authority.indexOf('[') >= 0) {
            return Optional.empty();
        }
        String host = authority;
        int colon = authority.indexOf(':');
        if (colon >= 0) {
            String port = authority.substring(colon + 1);
            if (!port.equals("80") && !port.equals("443")) {
                return Optional.empty();
            }
            host = authority.substring(0, colon);
        }
        // The ideographic full stop divides labels too, as in IDNA.
        return decoded(host)
                .map(name -> name.replace('。', '.').toLowerCase(Locale.ROOT))
                .map(name -> name.startsWith("www.") ? name.substring("www.".length()) : name);
    }

    private static GroupReading ofPath(String path, Query query) {
        String rest = path;
        for (Matcher preview = PREVIEW.matcher(rest); preview.lookingAt(); preview = PREVIEW.matcher(rest)) {
            rest = rest.substring(preview.end());
        }
        return ofSegments(rest, query);
    }

    private static GroupReading ofSegments(String path, Query query) {
        List<String> segments = new ArrayList<>();
        for (String part : path.replaceFirst("^/", "").split("/", -1)) {
            Optional<String> segment = decoded(part);
            if (segment.isEmpty()) {
                return new Unreadable("the link has a broken percent escape");
            }
            segments.add(segment.get());
        }
        String first = segments.get(0);
        String second = segments.size() > 1 ? segments.get(1) : "";
        if (first.isEmpty()) {
            return new Unreadable("the link names nothing");
        }
        if (first.startsWith("+") || first.startsWith(" ")) {
            return GroupNames.invite(first.substring(1));
        }
        return switch (first.toLowerCase(Locale.ROOT)) {
            case "joinchat" -> GroupNames.invite(second);
            case "c" -> GroupNames.channel(second);
            case "boost" -> ofBoost(second, query);
            default ->
                GroupNames.RESERVED.contains(first.toLowerCase(Locale.ROOT))
                        ? new Unreadable("this kind of link leads to no group")
                        : GroupNames.username(withoutAt(first));
        };
    }

    private static GroupReading ofBoost(String name, Query query) {
        if (!name.isEmpty()) {
            return GroupNames.username(withoutAt(name));
        }
        return query.value("c")
                .map(GroupNames::channel)
                .orElseGet(() -> new Unreadable("the boost link names no chat"));
    }

    private static String withoutAt(String name) {
        return name.startsWith("@") ? name.substring(1) : name;
    }

    /** Percent escapes, once; a plus sign stays one. Empty where they are broken. */
    private static Optional<String> decoded(String text) {
        if (text.indexOf('%') < 0) {
            return Optional.of(text);
        }
        if (BROKEN_ESCAPE.matcher(text).find()) {
            return Optional.empty();
        }
        byte[] bytes = URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.ISO_8859_1)
                .getBytes(StandardCharsets.ISO_8859_1);
        try {
            return text.chars().allMatch(character -> character < 0x80)
                    ? Optional.of(StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes))
                            .toString())
                    : Optional.of(URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8));
        } catch (CharacterCodingException e) {
            return Optional.empty();
        }
    }

    /** The query of a link; it never tells which chat is meant, but for the few forms that keep the name there. */
    private record Query(String text) {

        @SuppressWarnings("NullAway") // a group of a match that took no part is null
        static Query of(String text) {
            return new Query(text == null ? "" : text);
        }

        Optional<String> value(String name) {
            for (String pair : text.split("&")) {
                int equals = pair.indexOf('=');
                if (equals > 0 && pair.substring(0, equals).equals(name)) {
                    return decoded(pair.substring(equals + 1));
                }
            }
            return Optional.empty();
        }
    }
}
