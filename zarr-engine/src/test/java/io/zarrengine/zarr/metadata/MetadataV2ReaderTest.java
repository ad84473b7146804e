package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.FormatException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MetadataV2ReaderTest {
    private static final String NAME = "u/.zarray";

    /** Returns a document with some members changed; null removes one. */
    private static String document(String... changes) {
        Map<String, String> members = new LinkedHashMap<>();
        members.put("zarr_format", "2");
        members.put("shape", "[4, 6]");
        members.put("chunks", "[2, 3]");
        members.put("dtype", "\"<i4\"");
        members.put("order", "\"C\"");
        members.put("fill_value", "0");
        members.put("filters", "null");
        members.put("compressor", "null");
        for (int i = 0; i < changes.length; i += 2) {
            members.put(changes[i], changes[i + 1]);
        }
        return members.entrySet().stream()
                .filter(member -> member.getValue() != null)
                .map(member -> "\"" + member.getKey() + "\": " + member.getValue())
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static ArrayMetadata read(String... changes) {
        return MetadataV2Reader.readArray(
                new Document(NAME, document(changes).getBytes(StandardCharsets.UTF_8)),
                Optional.of(
                        new Document("u/.zattrs", "{\"a\": 1}".getBytes(StandardCharsets.UTF_8))));
    }

    private static List<String> codecs(ArrayMetadata array) {
        return array.codecs().stream().map(c -> c.name() + c.configuration()).toList();
    }

    @Test
    void readsTheSameAsVersion3() {
        ArrayMetadata array = read();
        assertEquals(2, array.zarrFormat());
        assertArrayEquals(new long[] {4, 6}, array.shape());
        assertArrayEquals(new long[] {2, 3}, array.chunkShape());
        assertEquals("int32", array.dataType().typeName());
        assertEquals("1.0", array.chunkKeyEncoding().key(1, 0));
        assertEquals(List.of("bytes{endian=little}"), codecs(array));
        assertEquals(Map.of("a", 1L), array.attributes());
        assertEquals("1/0", read("dimension_separator", "\"/\"").chunkKeyEncoding().key(1, 0));
        assertEquals("1.0", read("dimension_separator", "\".\"").chunkKeyEncoding().key(1, 0));
    }

    @Test
    void columnMajorOrderIsATranspose() {
        ArrayMetadata array = read("order", "\"F\"", "dtype", "\">i4\"");
        assertEquals(List.of("transpose{order=[1, 0]}", "bytes{endian=big}"), codecs(array));
        ArrayMetadata flat = read("order", "\"F\"", "shape", "[4]", "chunks", "[2]");
        assertEquals(List.of("transpose{order=[0]}", "bytes{endian=little}"), codecs(flat));
    }

    @Test
    void filtersAndCompressorAreCodecs() {
        ArrayMetadata array =
                read(
                        "dtype",
                        "\"<f8\"",
                        "filters",
                        """
                        [{"id": "fixedscaleoffset", "offset": 0, "scale": 10, "dtype": "<f8",
                          "astype": ">i2"}, {"id": "shuffle", "elementsize": 2}]
                        """,
                        "compressor",
                        "{\"id\": \"zlib\", \"level\": 1}");
        assertEquals(
                List.of(
                        "numcodecs.fixedscaleoffset{offset=0, scale=10, dtype=<f8, astype=>i2}",
                        "bytes{endian=big}", // the filter's stored type
                        "numcodecs.shuffle{elementsize=2}",
                        "numcodecs.zlib{level=1}"),
                codecs(array));
    }

    /** Version 3 uses the size of the data type there. */
    @Test
    void shufflesFourBytesWithoutMoreAsNumcodecsDoes() {
        for (String configuration : List.of("", ", \"elementsize\": null")) {
            ArrayMetadata array =
                    read(
                            "dtype",
                            "\"<f8\"",
                            "filters",
                            "[{\"id\": \"shuffle\"" + configuration + "}]");
            assertEquals(
                    List.of("bytes{endian=little}", "numcodecs.shuffle{elementsize=4}"),
                    codecs(array));
        }
    }

    @ParameterizedTest
    @CsvSource({"vlen-utf8, string", "vlen-bytes, bytes", "json2, object"})
    void objectsAreWhatTheirFilterSays(String id, String name) {
        ArrayMetadata array =
                read(
                        "dtype",
                        "\"|O\"",
                        "fill_value",
                        "null",
                        "filters",
                        "[{\"id\": \"" + id + "\"}]");
        assertEquals(name, ((VariableLengthType) array.dataType()).typeName());
        assertEquals(List.of("numcodecs." + id + "{}"), codecs(array));
    }

    @Test
    void arraysInArraysHaveATypeOfItem() {
        ArrayMetadata array =
                read(
                        "dtype",
                        "\"|O\"",
                        "fill_value",
                        "null",
                        "filters",
                        "[{\"id\": \"vlen-array\", \"dtype\": \"<f4\"}]");
        assertEquals("array of float32", array.dataType().typeName());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "<i4" | null | 00000000
                    "<i4" | 7 | 07000000
                    "<i4" | 7.0 | 07000000
                    "<f4" | "NaN" | 0000c07f
                    "<f8" | "-Infinity" | 000000000000f0ff
                    "b1" | 1 | 01
                    "b1" | 0 | 00
                    "b1" | true | 01
                    "<c8" | 1 | 0000803f00000000
                    "<c8" | [1.0, "NaN"] | 0000803f0000c07f
                    "S3" | "" | 000000
                    "S3" | "YWI=" | 616200
                    "S3" | 0 | 000000
                    "<U1" | "é" | e9000000
                    "<U1" | null | 00000000
                    "<M8[s]" | -9223372036854775808 | 0000000000000080
                    [["a", ">i2"], ["b", "u1"]] | "AQID" | 010203
                    """)
    void readsFillValues(String dtype, String fill, String expected) {
        ArrayMetadata array = read("dtype", dtype, "fill_value", fill);
        assertEquals(expected, HexFormat.of().formatHex(array.fillValue()));
        assertEquals(!fill.equals("null"), array.hasFillValue());
    }

    @Test
    void theFillValueOfAJsonArrayIsItsText() {
        ArrayMetadata array =
                read(
                        "dtype",
                        "\"|O\"",
                        "fill_value",
                        "{\"a\": [1]}",
                        "filters",
                        "[{\"id\": \"json2\"}]");
        assertEquals("{\"a\":[1]}", new String(array.fillValue(), StandardCharsets.UTF_8));
    }

    /** Some writers give an array without elements chunks without elements. */
    @Test
    void anEmptyDimensionMayHaveEmptyChunks() {
        ArrayMetadata array = read("shape", "[0, 6]", "chunks", "[0, 3]");
        assertArrayEquals(new long[] {1, 3}, array.chunkShape());
        assertRefused("chunk shape [0, 3]", "chunks", "[0, 3]");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    zarr_format | 3 | zarr_format is 3, expected 2
                    shape | 7 | shape is 7, expected an array
                    shape | [-1, 6] | shape[0] is -1
                    chunks | [2] | chunk shape [2] has another rank
                    dtype | "<i5" | dtype is "<i5", which is not known
                    dtype | 7 | dtype must be a string or a list of fields
                    order | "A" | order is "A", expected "C" or "F"
                    order | 7 | order is 7, expected a string
                    dimension_separator | ":" | dimension_separator is ":", expected "/" or "."
                    fill_value | "0x10" | fill_value is "0x10", which is no int32: version 2 does not say
                    fill_value | "x" | fill_value is "x", which is no int32: expected a whole number
                    filters | {} | filters is {}, expected an array
                    filters | [7] | filters[0] is 7, expected an object
                    filters | [{}] | filters[0].id is missing, expected a string
                    filters | [{"id": "delta", "dtype": "?"}] | filters[0].dtype is "?"
                    compressor | "zlib" | compressor is "zlib", expected an object
                    dtype | "O" | filters has none that encodes objects and is known: vlen-utf8
                    """)
    void refuses(String member, String json, String problem) {
        assertRefused(problem, member, json);
    }

    @Test
    void refusesMissingFields() {
        for (String member : List.of("zarr_format", "shape", "chunks", "dtype", "order")) {
            assertRefused(member + " is missing", member, null);
        }
    }

    private static void assertRefused(String problem, String... changes) {
        FormatException e = assertThrows(FormatException.class, () -> read(changes));
        assertTrue(e.getMessage().startsWith(NAME + ": "), e::getMessage);
        assertTrue(e.getMessage().contains(problem), e::getMessage);
    }
}
