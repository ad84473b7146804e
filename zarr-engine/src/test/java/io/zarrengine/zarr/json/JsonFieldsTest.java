package io.zarrengine.zarr.json;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.FormatException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** JSON members are returned as the expected kind, or refused with their place. */
final class JsonFieldsTest {
    private static final JsonFields FIELDS =
            JsonFields.parse(
                    "doc",
                    """
                    {"text": "x", "yes": true, "seven": 7, "half": 0.5, "none": null,
                     "big": 9223372036854775808, "list": [1, 2, 3], "object": {"inner": {"a": 1}}}
                    """
                            .getBytes(StandardCharsets.UTF_8));

    @Test
    void takesWhatIsThere() {
        assertEquals("doc", FIELDS.document());
        assertTrue(FIELDS.has("none"));
        assertFalse(FIELDS.has("missing"));
        assertNull(FIELDS.any("none"));
        assertEquals("x", FIELDS.string("text"));
        assertEquals("x", FIELDS.string("text", "y"));
        assertTrue(FIELDS.bool("yes", false));
        assertEquals(7, FIELDS.integer("seven", 7, 7));
        assertEquals(7, FIELDS.integer("seven", 0, 10, 3));
        assertArrayEquals(new long[] {1, 2, 3}, FIELDS.integers("list", 1, 3));
        assertEquals(1, FIELDS.object("object").object("inner").integer("a", 0, 9));
        assertEquals(Map.of("inner", Map.of("a", 1L)), FIELDS.map("object"));
    }

    @Test
    void takesTheDefaultOnlyForWhatIsMissingOrNull() {
        assertEquals("y", FIELDS.string("missing", "y"));
        assertTrue(FIELDS.bool("missing", true));
        assertFalse(FIELDS.bool("missing", false));
        assertEquals(3, FIELDS.integer("missing", 0, 10, 3));
        assertEquals(Map.of(), FIELDS.map("missing"));
        assertEquals(Map.of(), FIELDS.map("none"));
        assertEquals("y", FIELDS.string("none", "y"));
        assertTrue(FIELDS.bool("none", true));
        assertEquals(3, FIELDS.integer("none", 0, 9, 3));
    }

    @Test
    void refusesOtherKindsAndValuesOutOfBounds() {
        assertRefused("missing is missing, expected a string", () -> FIELDS.string("missing"));
        assertRefused("seven is 7, expected a string", () -> FIELDS.string("seven"));
        assertRefused("seven is 7, expected true or false", () -> FIELDS.bool("seven", true));
        assertRefused(
                "seven is 7, expected a whole number from 8 to 9",
                () -> FIELDS.integer("seven", 8, 9));
        assertRefused("seven is 7, expected 6", () -> FIELDS.integer("seven", 6, 6));
        assertRefused(
                "half is 0.5, expected a whole number, at least -1",
                () -> FIELDS.integer("half", -1, Long.MAX_VALUE));
        assertRefused(
                "big is 9223372036854775808, expected",
                () -> FIELDS.integer("big", 0, Long.MAX_VALUE));
        assertRefused(
                "list[0] is 1, expected a whole number from 2 to 3",
                () -> FIELDS.integers("list", 2, 3));
        assertRefused(
                "list[2] is 3, expected a whole number from 1 to 2",
                () -> FIELDS.integers("list", 1, 2));
        assertRefused("text is \"x\", expected an array", () -> FIELDS.array("text"));
        assertRefused("list is [1,2,3], expected an object", () -> FIELDS.object("list"));
        assertRefused("yes is true, expected an object", () -> FIELDS.map("yes"));
    }

    @Test
    void namesThePlaceOfWhatIsNested() {
        JsonFields inner = FIELDS.object("object").object("inner");
        assertRefused("object.inner.a is 1, expected a string", () -> inner.string("a"));
        assertRefused("object.inner.b is missing", () -> inner.array("b"));
        JsonFields codec = JsonFields.ofCodec("doc", "zstd", Map.of("level", "x"));
        assertRefused("codec zstd.level is \"x\"", () -> codec.integer("level", 0, 9));
    }

    private static void assertRefused(String problem, Executable executable) {
        FormatException e = assertThrows(FormatException.class, executable);
        assertTrue(e.getMessage().startsWith("doc: " + problem), e::getMessage);
    }
}
