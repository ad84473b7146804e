package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Metadata of valid documents, and the refusal of each wrong field. */
final class MetadataReaderTest {
    @Test
    void readsAnArray() {
        ArrayMetadata array = Documents.readArray();
        assertEquals(2, array.rank());
        assertArrayEquals(new long[] {4, 6}, array.shape());
        assertArrayEquals(new long[] {2, 3}, array.chunkShape());
        assertEquals(NumericType.INT32, array.dataType());
        assertArrayEquals(new byte[] {7, 0, 0, 0}, array.fillValue());
        assertEquals(
                new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/"),
                array.chunkKeyEncoding());
        assertEquals(List.of(new CodecSpec("bytes", Map.of("endian", "big"))), array.codecs());
        assertEquals(Map.of(), array.attributes());
        assertEquals(Optional.empty(), array.dimensionNames());
    }

    @Test
    void readsDefaultsOfMissingFields() {
        ArrayMetadata array =
                Documents.readArray(
                        "attributes", "{\"a\": [1, null]}",
                        "dimension_names", "[\"time\", null]",
                        "storage_transformers", "[]");
        assertEquals(Map.of("a", Arrays.asList(1L, null)), array.attributes());
        assertEquals(Optional.of(Arrays.asList("time", null)), array.dimensionNames());
        array = Documents.readArray("attributes", "null", "dimension_names", "null");
        assertEquals(Map.of(), array.attributes());
        assertEquals(Optional.empty(), array.dimensionNames());
    }

    @Test
    void readsAnArrayWithoutDimensions() {
        ArrayMetadata array =
                Documents.readArray(
                        "shape",
                        "[]",
                        "dimension_names",
                        "[]",
                        "chunk_grid",
                        "{\"name\": \"regular\", \"configuration\": {\"chunk_shape\": []}}");
        assertEquals(0, array.rank());
        assertEquals(Optional.of(List.of()), array.dimensionNames());
    }

    @Test
    void aNameAloneStandsForAnEmptyConfiguration() {
        ArrayMetadata array =
                Documents.readArray(
                        "data_type",
                        "{\"name\": \"int32\", \"configuration\": {}}",
                        "chunk_key_encoding",
                        "\"v2\"",
                        "codecs",
                        "[\"bytes\", {\"name\": \"crc32c\", \"must_understand\": true}]");
        assertEquals(NumericType.INT32, array.dataType());
        assertEquals(
                List.of(new CodecSpec("bytes", Map.of()), new CodecSpec("crc32c", Map.of())),
                array.codecs());
        assertEquals(ChunkKeyEncoding.Style.V2, array.chunkKeyEncoding().style());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"default\" | DEFAULT | /",
                "\"v2\" | V2 | .",
                "{\"name\": \"default\"} | DEFAULT | /",
                "{\"name\": \"default\", \"configuration\": {\"separator\": \".\"}} | DEFAULT | .",
                "{\"name\": \"v2\"} | V2 | .",
                "{\"name\": \"v2\", \"configuration\": {\"separator\": \".\"}} | V2 | .",
                "{\"name\": \"v2\", \"configuration\": {\"separator\": \"/\"}} | V2 | /",
            })
    void readsChunkKeyEncodings(String json, ChunkKeyEncoding.Style style, String separator) {
        ArrayMetadata array = Documents.readArray("chunk_key_encoding", json);
        assertEquals(new ChunkKeyEncoding(style, separator), array.chunkKeyEncoding());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # member | its JSON, or nothing | the message, from the field on
                    zarr_format | `` | zarr_format is missing, expected 3
                    zarr_format | 2 | zarr_format is 2, expected 3
                    zarr_format | 4 | zarr_format is 4, expected 3
                    zarr_format | "3" | zarr_format is "3", expected 3
                    node_type | `` | node_type is missing, expected a string
                    node_type | 1 | node_type is 1, expected a string
                    node_type | "leaf" | node_type is "leaf", expected "array" or "group"
                    shape | `` | shape is missing, expected an array
                    shape | null | shape is null, expected an array
                    shape | 4 | shape is 4, expected an array
                    shape | [4, -1] | shape[1] is -1, expected a whole number, at least 0
                    shape | [4.5, 6] | shape[0] is 4.5, expected a whole number, at least 0
                    shape | ["4", 6] | shape[0] is "4", expected a whole number
                    shape | [null, 6] | shape[0] is null, expected a whole number
                    shape | [4, 9223372036854775808] | shape[1] is 9223372036854775808, expected
                    shape | [4, 6, 8] | chunk shape [2, 3] has another rank than shape [4, 6, 8]
                    shape | [3037000500, 3037000500] | shape [3037000500, 3037000500] makes 9
                    shape | [4294967296, 4294967296] | shape [4294967296, 4294967296] makes 18446
                    data_type | `` | data_type is missing
                    data_type | null | data_type is null, expected an object with a name
                    data_type | 4 | data_type is 4, expected an object with a name
                    data_type | "int5" | data_type is "int5", which is not known
                    data_type | {"name": "int5"} | data_type is "int5", which is not known
                    data_type | {"names": "int4"} | data_type.names is an extension
                    data_type | {"configuration": {}} | data_type.name is missing, expected
                    data_type | {"name": "int4", "configuration": 1} | data_type.configuration is 1
                    chunk_grid | `` | chunk_grid is missing, expected an object
                    chunk_grid | "regular" | chunk_grid is "regular", expected an object
                    chunk_grid | {"name": "hexagonal"} | chunk_grid.name is "hexagonal", expected
                    chunk_grid | {"name": 1} | chunk_grid.name is 1, expected a string
                    chunk_grid | {"name": "regular"} | chunk_grid.configuration is missing
                    chunk_key_encoding | `` | chunk_key_encoding is null, expected an object
                    chunk_key_encoding | "v3" | chunk_key_encoding is "v3", expected "default"
                    chunk_key_encoding | {"name": "v2", "x": 1} | chunk_key_encoding.x is an
                    fill_value | `` | fill_value is missing
                    fill_value | null | fill_value is null, which is no int32: expected
                    fill_value | "NaN" | fill_value is "NaN", which is no int32: expected a whole
                    fill_value | 2147483648 | fill_value is 2147483648, which is no int32: expected
                    codecs | `` | codecs is missing, expected an array
                    codecs | {} | codecs is {}, expected an array
                    codecs | [7] | codecs[0] is 7, expected an object with a name
                    codecs | ["bytes", {}] | codecs[1].name is missing, expected a string
                    codecs | ["bytes", {"name": 1}] | codecs[1].name is 1, expected a string
                    codecs | [{"name": "a", "configuration": []}] | codecs[0].configuration is []
                    codecs | [{"name": "bytes", "id": {}}] | codecs[0].id is an extension
                    dimension_names | "xy" | dimension_names is "xy", expected an array
                    dimension_names | ["x"] | dimension_names has 1 entries, the array 2 dimensions
                    dimension_names | ["x", "y", "z"] | dimension_names has 3 entries
                    dimension_names | ["x", 2] | dimension_names holds 2, expected strings or null
                    storage_transformers | {} | storage_transformers is {}, expected an array
                    storage_transformers | ["zip"] | storage_transformers is not empty
                    """)
    void refusesAMember(String member, String json, String problem) {
        assertRefused(Documents.array(member, json), problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # chunk_shape, or nothing | the message
                    ``        | chunk_grid.configuration.chunk_shape is missing, expected an array
                    2         | chunk_grid.configuration.chunk_shape is 2, expected an array
                    [2, 0]    | chunk shape [2, 0] has length 0
                    [-2, 3]   | chunk_grid.configuration.chunk_shape[0] is -2, expected a whole
                    [2]       | chunk shape [2] has another rank than shape [4, 6]
                    [2, 3, 4] | chunk shape [2, 3, 4] has another rank than shape [4, 6]
                    [2147483648, 1073741824] | chunk shape [2147483648, 1073741824] makes 230
                    """)
    void refusesAChunkShape(String chunkShape, String problem) {
        String member = chunkShape.isEmpty() ? "" : "\"chunk_shape\": " + chunkShape;
        String grid = "{\"name\": \"regular\", \"configuration\": {" + member + "}}";
        assertRefused(Documents.array("chunk_grid", grid), problem);
    }

    @Test
    void refusesOtherSeparators() {
        String place = "chunk_key_encoding.configuration.separator is ";
        String json = "{\"name\": \"v2\", \"configuration\": {\"separator\": %s}}";
        assertRefused(
                Documents.array("chunk_key_encoding", json.formatted("\"-\"")),
                place + "\"-\", expected \"/\" or \".\"");
        assertRefused(
                Documents.array("chunk_key_encoding", json.formatted("7")),
                place + "7, expected a string");
    }

    @Test
    void refusesMoreDimensionsThanNumPyHas() {
        String ones = "[" + "1,".repeat(64) + "1]";
        String grid = "{\"name\": \"regular\", \"configuration\": {\"chunk_shape\": " + ones + "}}";
        String text = Documents.array("shape", ones, "chunk_grid", grid);
        assertRefused(text, "more than 64 dimensions");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {"{\"must_understand\": false}", "{\"name\": 1, \"must_understand\": false}"})
    void passesOverExtensionsThatNeedNotBeUnderstood(String json) {
        assertInstanceOf(ArrayMetadata.class, Documents.read(Documents.array("extra", json)));
        assertInstanceOf(GroupMetadata.class, Documents.read(Documents.group("extra", json)));
        String codecs = "[{\"name\": \"bytes\", \"extra\": " + json + "}]";
        assertEquals(1, Documents.readArray("codecs", codecs).codecs().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{\"must_understand\": true}",
                "{\"must_understand\": \"false\"}",
                "{\"name\": \"x\"}",
                "false",
                "null",
            })
    void refusesOtherExtensions(String json) {
        String problem = "extra is an extension that is not known and must be understood";
        assertRefused(Documents.array("extra", json), problem);
        assertRefused(Documents.group("extra", json), problem);
        String codecs = "[{\"name\": \"bytes\", \"extra\": " + json + "}]";
        assertRefused(Documents.array("codecs", codecs), "codecs[0]." + problem);
    }

    @Test
    void readsAGroup() {
        GroupMetadata empty = (GroupMetadata) Documents.read(Documents.group());
        assertEquals(Map.of(), empty.attributes());
        String text = Documents.group("attributes", "{\"a\": 1}", "consolidated_metadata", "null");
        assertEquals(new GroupMetadata(Map.of("a", 1L)), Documents.read(text));
    }

    @Test
    void refusesAnythingButAnObject() {
        assertRefused("[]", "is not a JSON object");
        assertRefused("3", "is not a JSON object");
        assertRefused("{", "is not valid JSON");
        assertRefused(Documents.group("shape", "[]"), "shape is an extension");
    }

    @Test
    void showsOnlyTheBeginningOfALongValue() {
        String name = "x".repeat(10_000);
        FormatException e =
                assertThrows(
                        FormatException.class,
                        () -> Documents.readArray("data_type", "\"" + name + "\""));
        assertTrue(e.getMessage().contains("\"xxx") && e.getMessage().length() < 200);
    }

    private static void assertRefused(String text, String problem) {
        FormatException e = assertThrows(FormatException.class, () -> Documents.read(text));
        assertTrue(e.getMessage().startsWith(Documents.NAME + ": " + problem), e::getMessage);
    }

    /** A slightly wrong number must not pass the checks as another exception. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void aDamagedDocumentIsReadOrRefused(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        String good =
                Documents.array("attributes", "{\"a\": 1}", "dimension_names", "[null, null]");
        String letters = "0123456789-.eE\"[]{},: nulltrue";
        int refused = 0;
        for (int round = 0; round < 2000; round++) {
            StringBuilder damaged = new StringBuilder(good);
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                int at = random.nextInt(damaged.length());
                damaged.setCharAt(at, letters.charAt(random.nextInt(letters.length())));
            }
            try {
                Documents.read(damaged.toString());
            } catch (FormatException expected) {
                refused++;
            }
        }
        assertTrue(refused > 1000, "most of them are wrong");
    }
}
