package io.zarrengine.zarr.codec;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CodecException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VariableLengthElementsTest {
    private static VariableLengthElements prefixed(String hex, long elements)
            throws CodecException {
        MemorySegment chunk = MemorySegment.ofArray(HexFormat.of().parseHex(hex));
        return VariableLengthElements.of(VariableLengthLayout.LENGTH_PREFIXED, chunk, elements);
    }

    private static VariableLengthElements json(String text, long elements) throws CodecException {
        MemorySegment chunk = MemorySegment.ofArray(text.getBytes(StandardCharsets.UTF_8));
        return VariableLengthElements.of(VariableLengthLayout.JSON, chunk, elements);
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
        "'', 0 bytes that say they hold -1 elements",
        "020000, 3 bytes that say",
        "03000000, say they hold 3 elements, expected 2",
        "02000000, 4 bytes that say they hold 2 elements",
        "020000000000000001000000, element 1 has the length 1 beyond the end",
        "0200000000000000ffffffff, element 1 has the length -1",
        "02000000ffffff7f00000000, element 0 has the length 2147483647",
        "02000000040000000000000000, element 1 has the length -1 beyond",
        "02000000000000000000000000, 1 bytes behind the last element",
    })
    void refusesLengthsThatDoNotFit(String hex, String problem) {
        CodecException e = assertThrows(CodecException.class, () -> prefixed(hex, 2));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    /** A chunk of a few bytes must not make room for a billion elements. */
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
