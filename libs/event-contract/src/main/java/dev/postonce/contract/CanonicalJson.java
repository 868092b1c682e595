package dev.postonce.contract;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.erdtman.jcs.NumberToJSON;
import tools.jackson.databind.JsonNode;

/**
 * A JSON tree as RFC 8785 writes it, in UTF-8. One pass from the tree to the bytes: a submission is digested several
 * times, and the reference implementation, which begins from text each time, was a third of its cost.
 */
final class CanonicalJson {

    private static final int BYTES_MIN = 1_024;
    /** Beyond it an integer is no longer exact as the double that RFC 8785 writes. */
    private static final long EXACT_MAX = 1L << 53;

    private static final byte[] HEX = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

    private byte[] bytes = new byte[BYTES_MIN];
    private int length;

    private CanonicalJson() {}

    static byte[] of(JsonNode node) {
        CanonicalJson written = new CanonicalJson();
        written.value(node);
        return Arrays.copyOf(written.bytes, written.length);
    }

    private void value(JsonNode node) {
        if (node.isObject()) {
            object(node);
        } else if (node.isArray()) {
            array(node);
        } else if (node.isString()) {
            string(node.stringValue());
        } else if (node.isNumber()) {
            ascii(number(node));
        } else if (node.isBoolean()) {
            ascii(node.booleanValue() ? "true" : "false");
        } else if (node.isNull()) {
            ascii("null");
        } else {
            throw new IllegalArgumentException("no JSON value: " + node.getNodeType());
        }
    }

    private void object(JsonNode node) {
        List<String> names = new ArrayList<>(node.propertyNames());
        // By UTF-16 units, as strings compare.
        Collections.sort(names);
        put('{');
        for (int i = 0; i < names.size(); i++) {
            if (i > 0) {
                put(',');
            }
            string(names.get(i));
            put(':');
            value(node.path(names.get(i)));
        }
        put('}');
    }

    private void array(JsonNode node) {
        put('[');
        for (int i = 0; i < node.size(); i++) {
            if (i > 0) {
                put(',');
            }
            value(node.path(i));
        }
        put(']');
    }

    private static String number(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong() && Math.abs(node.longValue()) <= EXACT_MAX) {
            return Long.toString(node.longValue());
        }
        try {
            return NumberToJSON.serializeNumber(node.doubleValue());
        } catch (IOException e) {
            throw new UncheckedIOException("a number beyond all doubles", e);
        }
    }

    private void string(String text) {
        // The longest form of a character is six bytes: an escape.
        room(2 + 6 * text.length());
        put('"');
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character >= 0x20 && character < 0x80 && character != '"' && character != '\\') {
                bytes[length++] = (byte) character;
            } else if (character < 0x80) {
                escape(character);
            } else if (Character.isHighSurrogate(character)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
                fourBytes(Character.toCodePoint(character, text.charAt(i)));
            } else {
                twoOrThreeBytes(character);
            }
        }
        put('"');
    }

    private void escape(char character) {
        switch (character) {
            case '"', '\\' -> escaped(character);
            case '\b' -> escaped('b');
            case '\t' -> escaped('t');
            case '\n' -> escaped('n');
            case '\f' -> escaped('f');
            case '\r' -> escaped('r');
            case 0x7f -> put(character);
            default -> {
                ascii("\\u00");
                bytes[length++] = HEX[character >> 4];
                bytes[length++] = HEX[character & 0xf];
            }
        }
    }

    private void escaped(char letter) {
        put('\\');
        put(letter);
    }

    private void twoOrThreeBytes(char character) {
        if (character < 0x800) {
            bytes[length++] = (byte) (0xc0 | character >> 6);
        } else if (Character.isSurrogate(character)) {
            // Half a pair has no UTF-8; Java writes a question mark for it.
            bytes[length++] = '?';
            return;
        } else {
            bytes[length++] = (byte) (0xe0 | character >> 12);
            bytes[length++] = (byte) (0x80 | (character >> 6 & 0x3f));
        }
        bytes[length++] = (byte) (0x80 | (character & 0x3f));
    }

    private void fourBytes(int point) {
        bytes[length++] = (byte) (0xf0 | point >> 18);
        bytes[length++] = (byte) (0x80 | (point >> 12 & 0x3f));
        bytes[length++] = (byte) (0x80 | (point >> 6 & 0x3f));
        bytes[length++] = (byte) (0x80 | (point & 0x3f));
    }

    private void ascii(String text) {
        room(text.length());
        for (int i = 0; i < text.length(); i++) {
            bytes[length++] = (byte) text.charAt(i);
        }
    }

    private void put(char character) {
        room(1);
        bytes[length++] = (byte) character;
    }

    private void room(int more) {
        if (length + more > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
        }
    }
}
