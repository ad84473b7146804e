package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Decodes bits that were packed by hand. */
final class PackedBitsTest {
    private static ArrayFilter filter(String configuration, NumericType type, long elements) {
        return ArrayFilterRegistry.packedBits(
                Elements.fields("packbits", configuration), type, elements);
    }

    private static MemorySegment bytes(String hex) {
        return MemorySegment.ofArray(HexFormat.of().parseHex(hex));
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {} | bool | 05 | [true, false, true]
                    {} | bool | ff01 | [true, true, true, true, true, true, true, true, true]
                    {} | uint4 | 21f3 | [1, 2, 3, 15]
                    {} | int4 | 8f07 | [-1, -8, 7]
                    {} | int2 | 1b | [-1, -2, 1, 0]
                    {} | float6_e2m3fn | 0106 | [0.125, 4.0]
                    {} | uint16 | 3412ffff | [4660, 65535]
                    {"first_bit": 4, "last_bit": 7} | uint8 | 21 | [16, 32]
                    {"first_bit": 4, "last_bit": 7} | int8 | 1f | [-16, 16]
                    {"last_bit": 11} | int16 | 01f0ff | [1, -1]
                    {"padding_encoding": "first_byte"} | bool | 0505 | [true, false, true]
                    {"padding_encoding": "last_byte"} | bool | 0505 | [true, false, true]
                    {"padding_encoding": "first_byte"} | uint4 | 0021 | [1, 2]
                    """)
    void unpacks(String configuration, String name, String hex, String expected)
            throws CodecException {
        NumericType type = NumericType.named(name).orElseThrow();
        MemorySegment wanted = Elements.of(type, expected);
        ArrayFilter filter = filter(configuration, type, wanted.byteSize() / type.byteSize());
        Elements.assertDecodes(filter, bytes(hex), type, expected);
    }

    /** NumPy puts the first element into the highest bit. */
    @Test
    void unpacksBitsOfNumcodecs() throws CodecException {
        ArrayFilter filter =
                Elements.parse("numcodecs.packbits", "{}", NumericType.BOOL, 9)
                        .filter()
                        .orElseThrow();
        Elements.assertDecodes(
                filter,
                bytes("07a080"),
                NumericType.BOOL,
                "[true, false, true, false, false, false, false, false, true]");
    }

    @Test
    void refusesAWrongCountOfUnusedBits() {
        ArrayFilter filter = filter("{\"padding_encoding\": \"last_byte\"}", NumericType.BOOL, 3);
        CodecException e =
                assertThrows(
                        CodecException.class,
                        () ->
                                filter.decode(
                                        bytes("0504"),
                                        MemorySegment.ofArray(new byte[3]),
                                        new BlockArrays()));
        assertTrue(e.getMessage().contains("4 bits are unused, expected 5"), e::getMessage);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"first_bit": 8} | first_bit is 8, expected a whole number from 0 to 7
                    {"first_bit": 4, "last_bit": 3} | last_bit is 3, expected a whole number from 4 to 7
                    {"padding_encoding": "both"} | expected "none"
                    """)
    void refusesConfigurations(String configuration, String problem) {
        FormatException e =
                assertThrows(
                        FormatException.class, () -> filter(configuration, NumericType.UINT8, 3));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }
}
