package io.zarrengine.zarr.pipeline;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VariableLengthElementsTest {
    private static VariableLengthElements prefixed(String hex, long elements)
            throws CodecException {
        MemorySegment chunk = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
        return VariableLengthElements.of(
                new VariableLengthLayout.LengthPrefixed(false), chunk, elements);
    }

    private static VariableLengthElements json(String text, long elements) throws CodecException {
        MemorySegment chunk = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
        return VariableLengthElements.of(new VariableLengthLayout.JsonText(), chunk, elements);
    }

    private static String text(VariableLengthElements elements, long index) {
        return new String(elements.content(index).toArray(JAVA_BYTE), StandardCharsets.UTF_8);
    }

    @Test
    void elementsFollowTheirLengths() throws CodecException {
        VariableLengthElements elements =
                prefixed("03000000" + "02000000c3a9" + "00000000" + "0100000061", 3);
        assertEquals("é", text(elements, 0));
        assertEquals("", text(elements, 1));
        assertEquals("a", text(elements, 2));
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'there are 0 bytes, too few for the number of elements'",
        "020000, 'there are 3 bytes, too few for the number'",
        "ffffffff00000000, say they hold 4294967295 elements",
        "03000000, say they hold 3 elements, expected 2",
        "02000000, 4 bytes that say they hold 2 elements",
        "020000000000000001000000, element 1 has the length 1 beyond the end",
        "0200000000000000ffffffff, element 1 has the length 4294967295 beyond the end",
        "02000000ffffff7f00000000, element 0 has the length 2147483647",
        "02000000040000000000000000, the length of element 1 lies beyond the end",
        "02000000000000000000000000, 1 bytes behind the last element",
    })
    void refusesLengthsThatDoNotFit(String hex, String problem) {
        CodecException e = assertThrows(CodecException.class, () -> prefixed(hex, 2));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @Test
    void refusesTextThatIsNotUtf8() throws CodecException {
        String chunk = "02000000" + "02000000c3a9" + "030000006162ff";
        assertEquals(3, prefixed(chunk, 2).content(1).byteSize(), "bytes may be any");
        MemorySegment bytes = MemorySegment.ofArray(HexFormat.of().parseHex(chunk));
        VariableLengthLayout text = new VariableLengthLayout.LengthPrefixed(true);
        CodecException e =
                assertThrows(CodecException.class, () -> VariableLengthElements.of(text, bytes, 2));
        assertEquals(
                "vlen: element 1 is not UTF-8: byte 0xff at offset 2 of its 3, byte 16 of the"
                        + " decoded chunk",
                e.getMessage());
    }

    /** A character must not continue in the next element's length. */
    @Test
    void textEndsWithItsElement() throws CodecException {
        VariableLengthLayout text = new VariableLengthLayout.LengthPrefixed(true);
        String whole = "02000000" + "02000000c3a9" + "0100000061";
        String cut = "02000000" + "01000000c3" + "0200000061a9";
        MemorySegment good = MemorySegment.ofArray(HexFormat.of().parseHex(whole));
        MemorySegment bad = MemorySegment.ofArray(HexFormat.of().parseHex(cut));
        assertEquals("é", text(VariableLengthElements.of(text, good, 2), 0));
        CodecException e =
                assertThrows(CodecException.class, () -> VariableLengthElements.of(text, bad, 2));
        assertTrue(e.getMessage().contains("element 0 is not UTF-8: byte 0xc3"), e::getMessage);
    }

    @Test
    void refusesJsonThatIsNotUtf8() {
        byte[] bytes = "[\"aé\", \"|O\", [1]]".getBytes(StandardCharsets.UTF_8);
        bytes[4] = 'x';
        MemorySegment chunk = MemorySegment.ofArray(bytes);
        VariableLengthLayout layout = new VariableLengthLayout.JsonText();
        CodecException e =
                assertThrows(
                        CodecException.class, () -> VariableLengthElements.of(layout, chunk, 1));
        assertEquals("json2: the list is not UTF-8 from its byte 3", e.getMessage());
    }

    /** JSON can hold half of a surrogate pair, UTF-8 cannot. */
    @Test
    void jsonKeepsHalvesOfSurrogatePairs() throws CodecException {
        VariableLengthElements elements =
                json("[\"a\\ud800b\", {\"é\": \"\\udc00\"}, \"\\ud83d\\ude00\", \"|O\", [3]]", 3);
        assertEquals("\"a\\ud800b\"", text(elements, 0).toLowerCase(Locale.ROOT));
        assertEquals("{\"é\":\"\\udc00\"}", text(elements, 1).toLowerCase(Locale.ROOT));
        assertEquals("\"😀\"", text(elements, 2));
    }

    /** A chunk of a few bytes must not allocate a billion elements. */
    @Test
    void refusesMoreElementsThanItsBytesCanHold() {
        assertThrows(CodecException.class, () -> prefixed("ffffff7f" + "00000000", 0x7fffffff));
    }

    @Test
    void jsonValuesStandBeforeTypeAndShape() throws CodecException {
        VariableLengthElements elements = json("[1, {\"a\": [null]}, \"é\", \"|O\", [3]]", 3);
        assertEquals("1", text(elements, 0));
        assertEquals("{\"a\":[null]}", text(elements, 1));
        assertEquals("\"é\"", text(elements, 2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"[1, 2]", "{}", "[1, 2, 3, \"|O\", [3]]", "[1, 2,", "7"})
    void refusesOtherJson(String text) {
        CodecException e = assertThrows(CodecException.class, () -> json(text, 2));
        assertTrue(e.getMessage().startsWith("json2: "), e::getMessage);
    }
}
