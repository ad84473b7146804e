package io.zarrengine.zarr.datatype;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.json.Json;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Names, sizes and fill values of the data types. */
final class NumericTypeTest {
    @ParameterizedTest
    @CsvSource({
        "bool, 1, 1",
        "int2, 1, 1",
        "int4, 1, 1",
        "int8, 1, 1",
        "int16, 2, 2",
        "int32, 4, 4",
        "int64, 8, 8",
        "uint2, 1, 1",
        "uint4, 1, 1",
        "uint8, 1, 1",
        "uint16, 2, 2",
        "uint32, 4, 4",
        "uint64, 8, 8",
        "float4_e2m1fn, 1, 1",
        "float6_e2m3fn, 1, 1",
        "float6_e3m2fn, 1, 1",
        "float8_e3m4, 1, 1",
        "float8_e4m3, 1, 1",
        "float8_e4m3b11fnuz, 1, 1",
        "float8_e4m3fn, 1, 1",
        "float8_e4m3fnuz, 1, 1",
        "float8_e5m2, 1, 1",
        "float8_e5m2fnuz, 1, 1",
        "float8_e8m0fnu, 1, 1",
        "bfloat16, 2, 2",
        "float16, 2, 2",
        "float32, 4, 4",
        "float64, 8, 8",
        "complex64, 8, 4",
        "complex128, 16, 8",
        "complex_bfloat16, 4, 2",
        "complex_float4_e2m1fn, 2, 1",
        "complex_float6_e2m3fn, 2, 1",
        "complex_float6_e3m2fn, 2, 1",
        "complex_float8_e3m4, 2, 1",
        "complex_float8_e4m3, 2, 1",
        "complex_float8_e4m3b11fnuz, 2, 1",
        "complex_float8_e4m3fn, 2, 1",
        "complex_float8_e4m3fnuz, 2, 1",
        "complex_float8_e5m2, 2, 1",
        "complex_float8_e5m2fnuz, 2, 1",
        "complex_float8_e8m0fnu, 2, 1",
        "complex_float16, 4, 2",
        "complex_float32, 8, 4",
        "complex_float64, 16, 8",
    })
    void hasANameASizeAndAUnitOfByteOrder(String name, int bytes, int unit) {
        NumericType type = NumericType.named(name).orElseThrow();
        assertEquals(name, type.typeName());
        assertEquals(name.toUpperCase(Locale.ROOT), type.name());
        assertEquals(bytes, type.byteSize());
        assertEquals(unit, type.byteOrderUnit());
    }

    @Test
    void knowsNoOtherNames() {
        assertEquals(45, NumericType.values().length, "the table above is out of date");
        for (String name : new String[] {"", "INT8", "float", "<f4", "string", "complex256"}) {
            assertEquals(Optional.empty(), NumericType.named(name));
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # type | JSON | the element's bytes, little-endian
                    bool       | true                   | 01
                    bool       | false                  | 00
                    int2       | -2                     | fe
                    int2       | 1                      | 01
                    int4       | -8                     | f8
                    int4       | 7                      | 07
                    int8       | -128                   | 80
                    int8       | 127                    | 7f
                    int16      | -32768                 | 0080
                    int16      | 258                    | 0201
                    int32      | -2147483648            | 00000080
                    int32      | 16909060               | 04030201
                    int32      | 7.0                    | 07000000
                    int32      | 2e3                    | d0070000
                    int64      | -9223372036854775808   | 0000000000000080
                    int64      | 9223372036854775807    | ffffffffffffff7f
                    uint2      | 3                      | 03
                    uint4      | 15                     | 0f
                    uint8      | 255                    | ff
                    uint16     | 65535                  | ffff
                    uint32     | 4294967295             | ffffffff
                    uint64     | 18446744073709551615   | ffffffffffffffff
                    uint64     | 0                      | 0000000000000000
                    float4_e2m1fn  | -6                 | 0f
                    float6_e3m2fn  | 28.0               | 1f
                    float6_e2m3fn  | "0x20"             | 20
                    float8_e4m3fn  | "NaN"              | 7f
                    float8_e4m3fn  | 448                | 7e
                    float8_e5m2    | "-Infinity"        | fc
                    float8_e8m0fnu | 2                  | 80
                    bfloat16   | 1.0                    | 803f
                    bfloat16   | "0xffc1"               | c1ff
                    float16    | 1.5                    | 003e
                    float16    | "NaN"                  | 007e
                    float16    | "0x7e01"               | 017e
                    float16    | 1e300                  | 007c
                    float32    | 1.5                    | 0000c03f
                    float32    | 3                      | 00004040
                    float32    | -0.0                   | 00000080
                    float32    | "NaN"                  | 0000c07f
                    float32    | "Infinity"             | 0000807f
                    float32    | "-Infinity"            | 000080ff
                    float32    | "0x7fc00001"           | 0100c07f
                    float32    | "0xFF800001"           | 010080ff
                    float32    | 1.00000017881393432617187499 | 0100803f
                    float32    | 1e400                  | 0000807f
                    float64    | 1.5                    | 000000000000f83f
                    float64    | -0.0                   | 0000000000000080
                    float64    | "NaN"                  | 000000000000f87f
                    float64    | NaN                    | 000000000000f87f
                    float64    | -Infinity              | 000000000000f0ff
                    float64    | "0x7ff0000000000001"   | 010000000000f07f
                    float64    | 18446744073709551615   | 000000000000f043
                    float64    | -1e999999999           | 000000000000f0ff
                    float64    | 1e-999999999           | 0000000000000000
                    complex64  | [1.5, -0.0]            | 0000c03f00000080
                    complex64  | ["NaN", "0xffc00001"]  | 0000c07f0100c0ff
                    int32      | "-999"                 | 19fcffff
                    int32      | " 7 "                  | 07000000
                    uint8      | "0"                    | 00
                    int64      | -9.223372036854776e18  | 0000000000000080
                    int64      | 9007199254740993.0     | 0000000000002000
                    float32    | "-999"                 | 00c079c4
                    float32    | "1.5"                  | 0000c03f
                    float32    | "1e3"                  | 00007a44
                    float32    | "nan"                  | 0000c07f
                    float64    | "-inf"                 | 000000000000f0ff
                    float64    | "Infinity"             | 000000000000f07f
                    float64    | "-0"                   | 0000000000000080
                    complex128 | ["-Infinity", 2]       | 000000000000f0ff0000000000000040
                    """)
    void readsFillValues(String type, String json, String bytes) {
        String element = HexFormat.of().formatHex(fillValue(type, json));
        assertEquals(bytes, element);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    # type | JSON | the message
                    bool       | 1               | expected true or false
                    bool       | "true"          | expected true or false
                    bool       | null            | expected true or false
                    int2       | 2               | expected a number from -2 to 1
                    int2       | -3              | expected a number from -2 to 1
                    int4       | 8               | expected a number from -8 to 7
                    int8       | 128             | expected a number from -128 to 127
                    int8       | -129            | expected a number from -128 to 127
                    int16      | 32768           | expected a number from -32768 to 32767
                    int32      | 2147483648      | expected a number from -2147483648 to 2147483647
                    int64      | 9223372036854775808  | to 9223372036854775807
                    int64      | -9223372036854775809 | from -9223372036854775808
                    uint2      | 4               | expected a number from 0 to 3
                    uint4      | 16              | expected a number from 0 to 15
                    uint8      | 256             | expected a number from 0 to 255
                    uint8      | -1              | expected a number from 0 to 255
                    uint16     | 65536           | expected a number from 0 to 65535
                    uint32     | 4294967296      | expected a number from 0 to 4294967295
                    uint64     | 18446744073709551616 | to 18446744073709551615
                    uint64     | -1              | expected a number from 0
                    int32      | 1.5             | expected a whole number
                    int32      | 1e-3            | expected a whole number
                    int32      | 1e500           | expected a whole number
                    int32      | 1e999999999     | expected a whole number
                    int32      | "7.5"           | expected a whole number
                    int32      | "nan"           | expected a whole number
                    int32      | ""              | expected a whole number
                    int32      | "1_000"         | expected a whole number
                    int32      | NaN             | expected a whole number
                    int32      | [1]             | expected a whole number
                    float32    | "not"           | expected a number, "NaN", "Infinity", "-Infinity"
                    float32    | "1e"            | expected a number, "NaN", "Infinity", "-Infinity"
                    float32    | null            | expected a number, "NaN"
                    float32    | [1]             | expected a number, "NaN"
                    float32    | "0x7fc0000"     | expected 0x and 8 hex digits
                    float32    | "0x7fc000001"   | expected 0x and 8 hex digits
                    float32    | "0x7fc0000g"    | expected 0x and 8 hex digits
                    float32    | "0x"            | expected 0x and 8 hex digits
                    float64    | "0x7fc00001"    | expected 0x and 16 hex digits
                    float16    | "0x-001"        | expected 0x and 4 hex digits
                    float8_e5m2   | "0x7"        | expected 0x and 2 hex digits
                    float8_e4m3fn | "Infinity"   | Infinity is no FLOAT8_E4M3FN
                    float8_e4m3fn | 1000         | 1000.0 is no FLOAT8_E4M3FN
                    float4_e2m1fn | "NaN"        | NaN is no FLOAT4_E2M1FN
                    float4_e2m1fn | "0x10"       | expected 4 bits
                    float6_e2m3fn | "0x40"       | expected 6 bits
                    complex64  | 1.5             | expected two numbers: real and imaginary part
                    complex64  | [1]             | expected two numbers: real and imaginary part
                    complex64  | [1, 2, 3]       | expected two numbers: real and imaginary part
                    complex64  | [1, "x"]        | expected a number, "NaN"
                    complex128 | ["0x0", 1]      | expected 0x and 16 hex digits
                    """)
    void refusesInvalidFillValues(String type, String json, String message) {
        IllegalArgumentException e =
                assertThrows(IllegalArgumentException.class, () -> fillValue(type, json));
        assertTrue(e.getMessage().contains(message), e::getMessage);
    }

    private static byte[] fillValue(String type, String json) {
        Object value = Json.parse("test", json.getBytes(StandardCharsets.UTF_8));
        return NumericType.named(type).orElseThrow().fillValue(value);
    }

    /** Goes through JSON text, like a store; covers every pattern of the types of one byte. */
    @ParameterizedTest
    @EnumSource
    void fillValueToJsonIsTheInverseOfFillValue(NumericType type) {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 256; i++) {
            byte[] element = new byte[type.byteSize()];
            random.nextBytes(element);
            NumericType part = type.kind() == NumericType.Kind.COMPLEX ? type.part() : type;
            if (part.byteSize() == 1) {
                for (int at = 0; at < element.length; at++) {
                    element[at] = canonical(part, i + 7 * at);
                }
            } else if (i % 3 == 0) { // more infinities, and NaN with payloads
                element[element.length - 1] |= 0x7f;
                element[element.length - 2] |= (byte) 0xf0;
            }
            byte[] json = MetadataWriter.toJson(type.fillValueToJson(element), false);
            byte[] again = type.fillValue(Json.parse("test", json));
            assertArrayEquals(
                    element, again, () -> new String(json, StandardCharsets.UTF_8) + " of " + type);
        }
    }

    /** Returns the byte that stands for the low bits of {@code i}. */
    private static byte canonical(NumericType type, int i) {
        int bits =
                switch (type) {
                    case INT2, UINT2 -> 2;
                    case INT4, UINT4, FLOAT4_E2M1FN -> 4;
                    case FLOAT6_E2M3FN, FLOAT6_E3M2FN -> 6;
                    default -> Byte.SIZE;
                };
        return switch (type.kind()) {
            case BOOL -> (byte) (i % 2);
            case SIGNED -> (byte) (i << (32 - bits) >> (32 - bits));
            default -> (byte) (i & (1 << bits) - 1);
        };
    }

    @ParameterizedTest
    @CsvSource({
        "bool, 1, 1",
        "bool, 0, 0",
        "int2, 3, -1",
        "int2, 1, 1",
        "int4, 8, -8",
        "int8, 255, -1",
        "int16, 32768, -32768",
        "int32, 4294967295, -1",
        "int64, -9223372036854775808, -9223372036854775808",
        "uint2, 255, 3",
        "uint4, 255, 15",
        "uint8, 255, 255",
        "uint16, 65535, 65535",
        "uint32, -1, 4294967295",
        "uint64, -1, 18446744073709551616",
        "float8_e4m3fn, 126, 448",
        "float16, 31743, 65504",
        "bfloat16, 16256, 1",
        "float32, 1069547520, 1.5",
        "float32, -1, NaN",
        "float64, 4609434218613702656, 1.5",
        "complex64, 4611686019496935424, 1.5",
        "complex128, 4609434218613702656, 1.5",
    })
    void readsANumberFromItsBits(String type, long bits, double expected) {
        assertEquals(expected, NumericType.named(type).orElseThrow().toDouble(bits));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void roundsUnsignedNumbersOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 1000; i++) {
            long bits = random.nextLong() | Long.MIN_VALUE;
            if (i % 2 == 0) { // a tie between two doubles, or a neighbour of one
                bits = (bits & -2048L) + 1023 + random.nextInt(3);
            }
            double expected = new BigInteger(Long.toUnsignedString(bits)).doubleValue();
            assertEquals(expected, NumericType.UINT64.toDouble(bits));
        }
    }

    @Test
    void roundsAFillValueOnce() {
        byte[] tie = fillValue("float32", "1.000000059604644775390625");
        byte[] above = fillValue("float32", "1.0000000596046447753906250000000000000001");
        assertArrayEquals(HexFormat.of().parseHex("0000803f"), tie);
        assertArrayEquals(HexFormat.of().parseHex("0100803f"), above);
    }
}
