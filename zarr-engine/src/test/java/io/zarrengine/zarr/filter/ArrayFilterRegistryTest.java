package io.zarrengine.zarr.filter;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.ByteOrderRun;
import io.zarrengine.zarr.datatype.FixedLengthType;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.errors.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Filters by name. The expected values come from NumPy and numcodecs, or from the specification.
 */
final class ArrayFilterRegistryTest {
    @ParameterizedTest(name = "{0} {1} of {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    delta | {"dtype": "<i4"} | int32 | int32 | [5, 1, -3] | [5, 6, 3]
                    numcodecs.delta | {"dtype": "<u1"} | uint8 | uint8 | [250, 10, 255] | [250, 4, 3]
                    delta | {"dtype": "<i8", "astype": "i1"} | int64 | int8 | [100, 100, -1] | [100, 200, 199]
                    delta | {"dtype": "<f4"} | float32 | float32 | [16777216.0, 1.0, 1.0] | [16777216.0, 16777216.0, 16777216.0]
                    delta | {"dtype": "<f8"} | float64 | float64 | [-0.0, 0.0, 0.1, 0.2] | [-0.0, 0.0, 0.1, 0.30000000000000004]
                    fixedscaleoffset | {"dtype": "<f8", "astype": "u1", "scale": 10, "offset": 1000} | float64 | uint8 | [0, 3, 255] | [1000.0, 1000.3, 1025.5]
                    fixedscaleoffset | {"dtype": "<f4", "astype": "<i2", "scale": 3, "offset": 0} | float32 | int16 | [1, -1] | [0.33333334, -0.33333334]
                    fixedscaleoffset | {"dtype": "<i4", "astype": "<i2", "scale": 0.5, "offset": 1} | int32 | int16 | [1, -4] | [3, -7]
                    astype | {"encode_dtype": "<f4", "decode_dtype": "<f8"} | float64 | float32 | [0.5, "NaN"] | [0.5, "NaN"]
                    astype | {"encode_dtype": "<f8", "decode_dtype": "<i4"} | int32 | float64 | [2.9, -2.9] | [2, -2]
                    astype | {"encode_dtype": "<i2", "decode_dtype": "b1"} | bool | int16 | [0, 256] | [false, true]
                    astype | {"encode_dtype": "<c8", "decode_dtype": "<c16"} | complex128 | complex64 | [[0.5, -1.0]] | [[0.5, -1.0]]
                    astype | {"encode_dtype": "<i8", "decode_dtype": "<f4"} | float32 | int64 | [9007199791611905] | [9007200000000000.0]
                    quantize | {"digits": 2, "dtype": "<f8", "astype": "<f4"} | float64 | float32 | [0.25] | [0.25]
                    scale_offset | {"offset": 5, "scale": 0.5} | float32 | float32 | [1.0] | [7.0]
                    scale_offset | {"offset": 1000} | uint16 | uint16 | [0, 255] | [1000, 1255]
                    scale_offset | {"scale": 10} | int64 | int64 | [-20] | [-2]
                    scale_offset | {} | uint8 | uint8 | [7] | [7]
                    cast_value | {"data_type": "uint8"} | uint16 | uint8 | [0, 255] | [0, 255]
                    cast_value | {"data_type": "uint8", "scalar_map": {"decode": [[0, "NaN"], [0, 1.0]]}} | float64 | uint8 | [0, 3] | ["NaN", 3.0]
                    cast_value | {"data_type": "float32", "rounding": "towards-negative"} | int8 | float32 | [1.9, -1.1, -0.0] | [1, -2, 0]
                    cast_value | {"data_type": "float32", "rounding": "nearest-away"} | int8 | float32 | [0.5, -2.5, 2.4] | [1, -3, 2]
                    cast_value | {"data_type": "float32"} | int8 | float32 | [0.5, 1.5, -2.5] | [0, 2, -2]
                    cast_value | {"data_type": "int16", "out_of_range": "clamp"} | uint8 | int16 | [-1, 256, 7] | [0, 255, 7]
                    cast_value | {"data_type": "int16", "out_of_range": "wrap"} | int8 | int16 | [128, -129, 300] | [-128, 127, 44]
                    cast_value | {"data_type": "float64", "rounding": "towards-zero"} | float32 | float64 | [0.1, -0.1] | [0.099999994, -0.099999994]
                    cast_value | {"data_type": "float64", "rounding": "towards-positive"} | float32 | float64 | [0.1, -0.1] | [0.1, -0.099999994]
                    cast_value | {"data_type": "float64", "out_of_range": "clamp"} | float32 | float64 | [1e39, "-Infinity"] | ["Infinity", "-Infinity"]
                    cast_value | {"data_type": "float64", "out_of_range": "clamp"} | float8_e4m3fn | float64 | [1e9, -1e9] | [448.0, -448.0]
                    cast_value | {"data_type": "int8", "out_of_range": "clamp"} | float8_e8m0fnu | int8 | [-1, 4] | [5.877471754111438e-39, 4.0]
                    cast_value | {"data_type": "uint64"} | float32 | uint64 | [18446744073709551615] | [18446744073709551615]
                    """)
    void decodes(
            String name,
            String configuration,
            String type,
            String stored,
            String encoded,
            String expected)
            throws CodecException {
        NumericType wanted = NumericType.named(type).orElseThrow();
        NumericType from = NumericType.named(stored).orElseThrow();
        MemorySegment bytes = Elements.of(from, encoded);
        long elements = bytes.byteSize() / from.byteSize();
        ArrayFilterRegistry.Step step = Elements.parse(name, configuration, wanted, elements);
        assertEquals(from, step.stored());
        assertEquals(elements, step.storedElements());
        assertEquals(!name.endsWith("delta"), step.elementwise());
        Elements.assertDecodes(step.filter().orElseThrow(), bytes, wanted, expected);
    }

    @ParameterizedTest(name = "{0} {1} of {2}: {4}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    cast_value | {"data_type": "int16"} | int8 | int16 | [1, 128] | 128 cannot be a int8
                    cast_value | {"data_type": "float64"} | int8 | float64 | ["NaN"] | NaN cannot be a int8
                    cast_value | {"data_type": "float64"} | int8 | float64 | ["Infinity"] | Infinity cannot
                    cast_value | {"data_type": "float64"} | float32 | float64 | [1e39] | cannot be a float32
                    cast_value | {"data_type": "float64"} | float8_e4m3fn | float64 | ["Infinity"] | cannot be
                    cast_value | {"data_type": "int8"} | float8_e8m0fnu | int8 | [-1] | -1 cannot be a
                    astype | {"encode_dtype": "<f8", "decode_dtype": "float8_e4m3fn"} | float8_e4m3fn | float64 | [1e9] | astype: 1.0E9 is no
                    astype | {"encode_dtype": "<i4", "decode_dtype": "float8_e4m3fn"} | float8_e4m3fn | int32 | [9999] | astype: 9999.0 is no
                    quantize | {"digits": 1, "dtype": "float4_e2m1fn", "astype": "<f4"} | float4_e2m1fn | float32 | ["NaN"] | quantize: NaN is no
                    fixedscaleoffset | {"dtype": "float8_e4m3fn", "astype": "<i2", "scale": 1, "offset": 0} | float8_e4m3fn | int16 | [999] | fixedscaleoffset: 999.0 is no
                    fixedscaleoffset | {"dtype": "float8_e4m3fn", "scale": 0.5, "offset": 0} | float8_e4m3fn | float8_e4m3fn | [448.0] | fixedscaleoffset: 896.0 is no
                    fixedscaleoffset | {"dtype": "float8_e4m3fn", "scale": 1e9, "offset": 0} | float8_e4m3fn | float8_e4m3fn | [1.0] | fixedscaleoffset: 1.0E9 is no
                    delta | {"dtype": "float8_e4m3fn"} | float8_e4m3fn | float8_e4m3fn | [448.0, 448.0] | delta: 896.0 is no
                    scale_offset | {"scale": 10} | int8 | int8 | [15] | 15 / 10 + 0 is no int8
                    scale_offset | {"offset": 100} | int8 | int8 | [100] | 100 / 1 + 100 is no int8
                    """)
    void refusesElements(
            String name,
            String configuration,
            String type,
            String stored,
            String encoded,
            String problem) {
        NumericType from = NumericType.named(stored).orElseThrow();
        MemorySegment bytes = Elements.of(from, encoded);
        NumericType wanted = NumericType.named(type).orElseThrow();
        long elements = bytes.byteSize() / from.byteSize();
        ArrayFilter filter =
                Elements.parse(name, configuration, wanted, elements).filter().orElseThrow();
        MemorySegment target = MemorySegment.ofArray(new byte[64]);
        CodecException e =
                assertThrows(
                        CodecException.class,
                        () -> filter.decode(bytes, target, new BlockArrays()));
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @ParameterizedTest(name = "{0} {1} of {2}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    delta | {"dtype": "<i8"} | int32 | dtype is int64, the elements are int32
                    delta | {"dtype": "<x4"} | int32 | which is no NumPy type
                    delta | {} | complex64 | cannot work with elements of the type complex64
                    delta | {} | bool | cannot work with elements of the type bool
                    fixedscaleoffset | {"offset": 0} | float32 | scale is missing or no number
                    fixedscaleoffset | {"offset": "0", "scale": 1} | float32 | offset is missing or no number
                    astype | {"encode_dtype": "<f4"} | complex64 | cannot work with elements of the type float32
                    scale_offset | {"scale": 0} | int8 | scale is 0
                    scale_offset | {"offset": 1000} | int8 | offset is no int8
                    cast_value | {} | int8 | data_type
                    cast_value | {"data_type": "string"} | int8 | data_type is no number
                    cast_value | {"data_type": "complex64"} | int8 | cannot work with elements
                    cast_value | {"data_type": "int16", "rounding": "up"} | int8 | "up", which is no rounding
                    cast_value | {"data_type": "int16", "out_of_range": "cut"} | int8 | expected "clamp"
                    cast_value | {"data_type": "float64", "out_of_range": "wrap"} | float32 | for integers
                    cast_value | {"data_type": "int16", "scalar_map": {"decode": [[1]]}} | int8 | no pair
                    cast_value | {"data_type": "int16", "scalar_map": {"decode": [[1, 999]]}} | int8 | no int8
                    numcodecs.packbits | {} | int16 | cannot work with elements of the type int16
                    """)
    void refusesConfigurations(String name, String configuration, String type, String problem) {
        NumericType wanted = NumericType.named(type).orElseThrow();
        FormatException e =
                assertThrows(
                        FormatException.class,
                        () -> Elements.parse(name, configuration, wanted, 3));
        assertTrue(e.getMessage().startsWith("zarr.json: codec " + name), e::getMessage);
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }

    @Test
    void refusesOtherTypesThanNumbers() {
        FixedLengthType text = new FixedLengthType(FixedLengthType.Kind.UTF32, 8);
        assertThrows(
                FormatException.class,
                () -> ArrayFilterRegistry.parse("delta", Elements.fields("delta", "{}"), text, 3));
        assertThrows(
                FormatException.class,
                () -> ArrayFilterRegistry.packedBits(Elements.fields("packbits", "{}"), text, 3));
    }

    @Test
    void knowsItsNames() {
        for (String name : ArrayFilterRegistry.names()) {
            assertTrue(ArrayFilterRegistry.knows(name), name);
        }
        assertTrue(ArrayFilterRegistry.knows("numcodecs.delta"));
        assertFalse(ArrayFilterRegistry.knows("packbits"), "it encodes an array as bytes");
        assertFalse(ArrayFilterRegistry.knows("numcodecs.scale_offset"));
    }

    /** 2^63 is no int64; it is the first uint64 that a cast to long cannot make. */
    @Test
    void castsAtTheEndOf63Bits() throws CodecException {
        assertEquals(Long.MIN_VALUE, Cast.ofDouble("astype", NumericType.UINT64, 0x1p63));
        assertEquals(
                Long.MIN_VALUE | 2048,
                Cast.ofDouble("astype", NumericType.UINT64, Math.nextUp(0x1p63)));
        double below = Math.nextDown(0x1p63);
        assertEquals(Long.MAX_VALUE - 1023, Cast.ofDouble("astype", NumericType.UINT64, below));
        assertEquals(Long.MAX_VALUE - 1023, Cast.ofDouble("astype", NumericType.INT64, below));
        assertEquals(Long.MAX_VALUE, Cast.ofDouble("astype", NumericType.INT64, 0x1p63));
        assertEquals(Long.MIN_VALUE, Cast.ofDouble("astype", NumericType.INT64, -0x1p63));
        assertEquals(-1, Cast.ofDouble("astype", NumericType.UINT64, 0x1p64), "the nearest");
    }

    /** Units of all sizes, several in a row, up to the last byte of the last element. */
    @Test
    void reversesTheUnitsOfElements() {
        List<ByteOrderRun> runs = List.of(new ByteOrderRun(1, 4, 2), new ByteOrderRun(9, 2, 1));
        ReverseBytes filter = new ReverseBytes(runs, 11, 2);
        assertEquals(22, filter.encodedBytes());
        byte[] encoded = new byte[22];
        for (int i = 0; i < encoded.length; i++) {
            encoded[i] = (byte) i;
        }
        byte[] decoded = new byte[22];
        filter.decode(
                MemorySegment.ofArray(encoded), MemorySegment.ofArray(decoded), new BlockArrays());
        assertArrayEquals(
                new byte[] {
                    0, 4, 3, 2, 1, 8, 7, 6, 5, 10, 9, 11, 15, 14, 13, 12, 19, 18, 17, 16, 21, 20
                },
                decoded);
    }

    /** Real and complex numbers; some leave a few bytes after the last whole word. */
    @Test
    void reversesElementsThatAreNothingButUnits() {
        for (int unit : new int[] {2, 4, 8}) {
            for (int units : new int[] {1, 2}) {
                ReverseBytes filter =
                        new ReverseBytes(
                                List.of(new ByteOrderRun(0, unit, units)), unit * units, 7);
                byte[] encoded = new byte[(int) filter.encodedBytes()];
                new Random(unit).nextBytes(encoded);
                byte[] decoded = new byte[encoded.length];
                filter.decode(
                        MemorySegment.ofArray(encoded),
                        MemorySegment.ofArray(decoded),
                        new BlockArrays());
                for (int i = 0; i < decoded.length; i++) {
                    int mirrored = i / unit * unit + unit - 1 - i % unit;
                    assertEquals(encoded[mirrored], decoded[i], filter + " byte " + i);
                }
            }
        }
    }

    /** There is nothing to undo, because elements are stored as they are. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    bitround | {"keepbits": 3}
                    quantize | {"digits": 2, "dtype": "<f4"}
                    astype   | {"encode_dtype": "<f4", "decode_dtype": "<f4"}
                    """)
    void whatOnlyRoundsNeedsNoFilter(String name, String configuration) {
        ArrayFilterRegistry.Step step =
                Elements.parse("numcodecs." + name, configuration, NumericType.FLOAT32, 4);
        assertTrue(step.filter().isEmpty() && step.elementwise());
        assertEquals(NumericType.FLOAT32, step.stored());
    }

    @Test
    void permutesToTheOrderOfTheChunk() throws CodecException {
        ArrayFilter permute = ArrayFilterRegistry.permute(List.of(2L, 3L), List.of(1, 0), 2);
        MemorySegment encoded = Elements.of(NumericType.INT16, "[0, 10, 1, 11, 2, 12]");
        Elements.assertDecodes(permute, encoded, NumericType.INT16, "[0, 1, 2, 10, 11, 12]");
    }
}
