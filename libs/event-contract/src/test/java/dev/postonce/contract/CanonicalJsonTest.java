package dev.postonce.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Against the reference implementation, byte for byte: a digest that changed would make each known content new. */
class CanonicalJsonTest {

    private static final int TREES = 3_000;
    private static final String[] PIECES = {
        "a",
        "Z",
        "0",
        " ",
        "\"",
        "\\",
        "/",
        "\b",
        "\t",
        "\n",
        "\f",
        "\r",
        "\u0000",
        "\u001f",
        "\u007f",
        "\u0080",
        "é",
        "߿",
        "ࠀ",
        "双",
        "１１",
        "\ue000",
        "\uffff",
        "😀",
        "🎉",
        "\u2028",
        "</script>"
    };

    private static void isAsTheReferenceWrites(String json) throws IOException {
        assertThat(CanonicalJson.of(EventJson.mapper().readTree(json)))
                .as(json)
                .isEqualTo(new JsonCanonicalizer(json).getEncodedUTF8());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "[0,-0,-0.0,1.0,1e2,1E-7,123456789012345680000,1e21,1e-6,0.1,-1.5,4.35,333333333.33333329]",
                "[9007199254740991,9007199254740992,9007199254740993,-9007199254740993,9223372036854775807,1e300]",
                "[18446744073709551616,5e-324,1.7976931348623157e308,1e23]",
                "{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}",
                "{\"b\":[true,false,null,{\"z\":[],\"a\":{}}],\"\":\"\"}",
                "[\"\\ud83d half\",\"half \\ude00\"]"
            })
    void samples_are_written_as_the_reference_writes_them(String json) throws IOException {
        isAsTheReferenceWrites(json);
    }

    @Test
    void random_trees_are_written_as_the_reference_writes_them() throws IOException {
        long seed = new Random().nextLong();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < TREES; i++) {
            ObjectNode tree = EventJson.mapper().createObjectNode();
            tree.set("t", tree(random, 4));
            isAsTheReferenceWrites(tree.toString());
        }
    }

    private static JsonNode tree(Random random, int depth) {
        int kind = random.nextInt(depth == 0 ? 5 : 7);
        return switch (kind) {
            case 0 -> EventJson.mapper().getNodeFactory().stringNode(text(random));
            case 1 -> EventJson.mapper().getNodeFactory().numberNode(random.nextLong() >> random.nextInt(64));
            case 2 -> EventJson.mapper().getNodeFactory().numberNode(number(random));
            case 3 -> EventJson.mapper().getNodeFactory().booleanNode(random.nextBoolean());
            case 4 -> EventJson.mapper().getNodeFactory().nullNode();
            case 5 -> {
                ArrayNode array = EventJson.mapper().createArrayNode();
                for (int i = random.nextInt(4); i > 0; i--) {
                    array.add(tree(random, depth - 1));
                }
                yield array;
            }
            default -> {
                ObjectNode object = EventJson.mapper().createObjectNode();
                for (int i = random.nextInt(5); i > 0; i--) {
                    object.set(text(random), tree(random, depth - 1));
                }
                yield object;
            }
        };
    }

    private static double number(Random random) {
        double value = Double.longBitsToDouble(random.nextLong());
        return Double.isFinite(value) ? value : random.nextGaussian();
    }

    private static String text(Random random) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }
}
