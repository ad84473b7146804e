package io.zarrengine.zarr.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.FormatException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** JSON becomes plain values; other content is refused with the file's name. */
final class JsonTest {
    @Test
    void becomesPlainValues() {
        assertEquals("ä\n\"", parse("\"\\u00e4\\n\\\"\""));
        assertEquals(true, parse("true"));
        assertEquals(false, parse(" false "));
        assertEquals(null, parse("null"));
        assertEquals(-7L, parse("-7"));
        assertEquals(Long.MAX_VALUE, parse("9223372036854775807"));
        assertEquals(Long.MIN_VALUE, parse("-9223372036854775808"));
        assertEquals(
                BigInteger.ONE.shiftLeft(63), parse("9223372036854775808"), "one above a long");
        assertEquals(new BigDecimal("0.10"), parse("0.10"), "exact, not a double");
        assertEquals(new BigDecimal("1E+400"), parse("1e400"));
        assertEquals(-0.0, parse("-0.0"), "a BigDecimal has no negative zero");
        assertEquals(Double.NaN, parse("NaN"));
        assertEquals(Double.NEGATIVE_INFINITY, parse("-Infinity"));
        assertEquals(List.of(1L, List.of(), Map.of()), parse("[1, [], {}]"));
        assertEquals(Map.of("a", Map.of("b", List.of("c"))), parse("{\"a\": {\"b\": [\"c\"]}}"));
    }

    @Test
    void keepsTheOrderOfMembers() {
        Map<?, ?> object = (Map<?, ?>) parse("{\"z\": 1, \"a\": 2, \"m\": 3}");
        assertEquals(List.of("z", "a", "m"), List.copyOf(object.keySet()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    ``                     | is empty
                    `  `                   | is empty
                    {                      | is not valid JSON
                    {"a": 1                | is not valid JSON
                    [1, 2                  | is not valid JSON
                    {"a" 1}                | is not valid JSON
                    {'a': 1}               | is not valid JSON
                    [1,]                   | is not valid JSON
                    [1, /* no */ 2]        | is not valid JSON
                    "\\x"                   | is not valid JSON
                    01                     | is not valid JSON
                    nul                    | is not valid JSON
                    {} {}                  | has more text behind its JSON value
                    1 ]                    | is not valid JSON
                    [1e99999999999]        | has a number whose exponent is too large
                    {"a": 1e-99999999999}  | has a number whose exponent is too large
                    """)
    void refusesWhatIsNotOneJsonValue(String text, String problem) {
        FormatException e = assertThrows(FormatException.class, () -> parse(text));
        assertTrue(e.getMessage().startsWith("a/zarr.json: " + problem), e::getMessage);
    }

    @Test
    void saysWhereItIsNotValid() {
        FormatException e = assertThrows(FormatException.class, () -> parse("{\n  \"a\": nul}"));
        assertEquals(
                "a/zarr.json: is not valid JSON: Unrecognized token 'nul': expected a JSON value,"
                        + " at line 2, column 8",
                e.getMessage());
    }

    @Test
    void boundsNestingAndNumbers() {
        assertEquals(List.of(), parse("[".repeat(150) + "]".repeat(150), 149));
        assertRefused("[".repeat(1000) + "]".repeat(1000));
        assertRefused("{\"a\":".repeat(100_000));
        assertRefused("1" + "0".repeat(100_000));
        assertRefused("0." + "1".repeat(100_000));
    }

    private static void assertRefused(String text) {
        FormatException e = assertThrows(FormatException.class, () -> parse(text));
        assertTrue(e.getMessage().startsWith("a/zarr.json: is not valid JSON"), e::getMessage);
        assertTrue(e.getMessage().length() < 500, "a message is for people");
    }

    /** Parses a text, and takes the single element of a list {@code levels} times. */
    private static Object parse(String text, int levels) {
        Object value = parse(text);
        for (int i = 0; i < levels; i++) {
            value = ((List<?>) value).getFirst();
        }
        return value;
    }

    /** Invalid UTF-8, other encodings and nonsense are read or refused, without another error. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void damagedTextIsReadOrRefused(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String text = "{\"a\": [1, -2.5e7, \"x\\u00e4\", true, null, NaN], \"bc\": {\"d\": []}}";
        byte[] good = text.getBytes(StandardCharsets.UTF_8);
        for (int round = 0; round < 3000; round++) {
            byte[] damaged = Arrays.copyOf(good, 1 + random.nextInt(good.length));
            for (int i = random.nextInt(4); i > 0; i--) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            try {
                Json.parse("a/zarr.json", damaged);
            } catch (FormatException expected) {
                assertTrue(expected.getMessage().startsWith("a/zarr.json: "));
            }
        }
    }

    private static Object parse(String text) {
        return Json.parse("a/zarr.json", text.getBytes(StandardCharsets.UTF_8));
    }
}
