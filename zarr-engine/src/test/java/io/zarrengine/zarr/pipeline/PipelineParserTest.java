package io.zarrengine.zarr.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.codec.checksum.Crc32cCodec;
import io.zarrengine.zarr.codec.deflate.GzipCodec;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.Document;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.metadata.MetadataV2Reader;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Codec chains as metadata names them, and each refusal. */
final class PipelineParserTest {
    private static final String LITTLE =
            "{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}";
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static ChunkPipeline parse(String dataType, String chunkShape, String codecs) {
        return new ArrayPipeline("u/zarr.json", array(dataType, chunkShape, codecs)).largest();
    }

    private static ArrayMetadata array(String dataType, String chunkShape, String codecs) {
        String text =
                """
                {"zarr_format": 3, "node_type": "array", "shape": %1$s, "data_type": "%2$s",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": %1$s}},
                 "chunk_key_encoding": "default", "fill_value": %3$s, "codecs": %4$s}
                """
                        .formatted(
                                chunkShape,
                                dataType,
                                dataType.startsWith("complex") ? "[0, 0]" : "0",
                                codecs.replace("LITTLE", LITTLE));
        byte[] document = text.getBytes(StandardCharsets.UTF_8);
        return (ArrayMetadata) MetadataReader.read("u/zarr.json", document, DataTypes.builtIn());
    }

    private static ChunkPipeline parse(CodecSpec... codecs) {
        return new ArrayPipeline(
                        "u/zarr.json",
                        ArrayMetadata.builder(NumericType.INT32, 4, 6)
                                .codecs(List.of(codecs))
                                .build())
                .largest();
    }

    @Test
    void readsElementsInCOrderByDefault() {
        ChunkPipeline pipeline = parse(CodecSpec.bytes());
        assertEquals(List.of(0, 1), pipeline.order());
        assertEquals(List.of(4L, 6L), pipeline.encodedShape());
        assertEquals(4, pipeline.elementBytes());
        assertEquals(List.of(), pipeline.bytesCodecs());
        assertEquals(new Serializer.Elements(LITTLE_ENDIAN ? 1 : 4, false), pipeline.serializer());
    }

    @ParameterizedTest
    @CsvSource({
        "int8, 1",
        "float8_e5m2, 1",
        "int16, 2",
        "float16, 2",
        "int32, 4",
        "uint64, 8",
        "float64, 8",
        "complex64, 4",
        "complex128, 8",
    })
    void otherByteOrdersAreSwappedInUnits(String dataType, int unit) {
        String other = LITTLE_ENDIAN ? "big" : "little";
        String codecs = "[" + LITTLE.replace("little", other) + "]";
        Serializer swapped = parse(dataType, "[4]", codecs).serializer();
        assertEquals(new Serializer.Elements(unit, false), swapped);
        Serializer same =
                parse(dataType, "[4]", codecs.replace(other, LITTLE_ENDIAN ? "little" : "big"))
                        .serializer();
        assertEquals(new Serializer.Elements(1, false), same);
    }

    @Test
    void bytesNeedNoOrder() {
        assertEquals(
                new Serializer.Elements(1, false),
                parse("int8", "[4]", "[\"bytes\"]").serializer());
    }

    @Test
    void readsBytesCodecsInTheirOrder() {
        ChunkPipeline pipeline =
                parse(
                        "int32",
                        "[4]",
                        """
                        [LITTLE, "zstd",
                         {"name": "zstd", "configuration": {"level": -131072, "checksum": true}},
                         "gzip", {"name": "gzip", "configuration": {"level": 9}}, "crc32c",
                         {"name": "blosc", "configuration": {"cname": "lz4", "typesize": 4}}]
                        """);
        assertEquals(
                List.of(
                        new ZstdCodec(0, false),
                        new ZstdCodec(-131072, true),
                        new GzipCodec(5),
                        new GzipCodec(9),
                        new Crc32cCodec(),
                        new BloscCodec()),
                pipeline.bytesCodecs());
    }

    /** Encoded dimension i holds logical dimension order[i]. */
    @Test
    void transposesOneAfterTheOther() {
        String once = "{\"name\": \"transpose\", \"configuration\": {\"order\": [1, 2, 0]}}, ";
        ChunkPipeline pipeline = parse("int8", "[4, 5, 6]", "[" + once + "LITTLE]");
        assertEquals(List.of(1, 2, 0), pipeline.order());
        assertEquals(List.of(5L, 6L, 4L), pipeline.encodedShape());
        pipeline = parse("int8", "[4, 5, 6]", "[" + once + once + "LITTLE]");
        assertEquals(List.of(2, 0, 1), pipeline.order());
        assertEquals(List.of(6L, 4L, 5L), pipeline.encodedShape());
        pipeline = parse("int8", "[4, 5, 6]", "[" + once + once + once + "LITTLE]");
        assertEquals(List.of(0, 1, 2), pipeline.order());
        String none = "{\"name\": \"transpose\", \"configuration\": {\"order\": []}}, ";
        assertEquals(List.of(), parse("int8", "[]", "[" + none + "LITTLE]").order());
    }

    @Test
    void readsShards() {
        ChunkPipeline pipeline =
                parse(
                        CodecSpec.transpose(1, 0),
                        CodecSpec.sharding(
                                new long[] {3, 2},
                                CodecSpec.transpose(1, 0),
                                CodecSpec.bytes(),
                                CodecSpec.zstd(1)),
                        CodecSpec.crc32c());
        assertEquals(List.of(new Crc32cCodec()), pipeline.bytesCodecs());
        Serializer.Shard shard = assertInstanceOf(Serializer.Shard.class, pipeline.serializer());
        assertEquals(List.of(2L, 2L), shard.chunksPerShard(), "in the shard's encoded dimensions");
        assertEquals(new ShardIndexCodec(false, ByteOrder.LITTLE_ENDIAN, true), shard.index());
        assertEquals(List.of(2L, 3L), shard.inner().encodedShape());
        assertEquals(List.of(1, 0), shard.inner().order());
        assertEquals(List.of(new ZstdCodec(1, false)), shard.inner().bytesCodecs());
        assertEquals(4, shard.chunks());
        assertEquals(4 * 16 + 4, shard.indexBytes());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "index_codecs": [LITTLE] | false | true | false
                    "index_codecs": [LITTLE, "crc32c"] | false | true | true
                    "index_codecs": [BIG], "index_location": "start" | true | false | false
                    "index_codecs": [BIG, "crc32c"], "index_location": "end" | false | false | true
                    """)
    void readsWhereTheIndexIs(String index, boolean atStart, boolean little, boolean checksum) {
        ChunkPipeline pipeline =
                parse(
                        "int32",
                        "[4, 6]",
                        sharding("\"chunk_shape\": [2, 3], \"codecs\": [LITTLE], " + index));
        ByteOrder order = little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
        assertEquals(
                new ShardIndexCodec(atStart, order, checksum),
                ((Serializer.Shard) pipeline.serializer()).index());
    }

    private static String sharding(String configuration) {
        return "[{\"name\": \"sharding_indexed\", \"configuration\": {%s}}]"
                .formatted(configuration.replace("BIG", LITTLE.replace("little", "big")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # codecs | the message, from the field on
                    [] | codecs has no array-to-bytes codec
                    ["crc32c"] | codecs[0] crc32c stands before an array-to-bytes codec
                    ["zstd", LITTLE] | codecs[0] zstd stands before an array-to-bytes codec
                    [LITTLE, LITTLE] | codecs[1] bytes stands behind an array-to-bytes codec
                    [LITTLE, "transpose"] | codecs[1] transpose stands behind an array-to-bytes
                    [LITTLE, "sharding_indexed"] | codecs[1] sharding_indexed stands behind
                    [LITTLE, "gzip", LITTLE] | codecs[2] bytes stands behind
                    ["lzw"] | codecs[0] names the codec "lzw", which is not known
                    [LITTLE, "lzw"] | codecs[1] names the codec "lzw", which is not known; known
                    """)
    void refusesAChain(String codecs, String problem) {
        assertRefused("[4, 6]", codecs, problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # codec | configuration | the message, from the field on
                    bytes | {}                   | endian is missing, expected a string
                    bytes | {"endian": "middle"} | endian is "middle", expected "little" or "big"
                    numcodecs.shuffle | {"elementsize": -1} | elementsize is -1, expected a whole
                    numcodecs.shuffle | {"elementsize": "four"} | elementsize is "four", expected
                    crc32c | {"location": "top"} | location is "top", expected "start" or "end"
                    """)
    void refusesAConfiguration(String codec, String configuration, String problem) {
        assertRefused("[4, 6]", chain(codec, configuration), "codec " + codec + "." + problem);
    }

    private static String chain(String codec, String configuration) {
        String spec = "{\"name\": \"" + codec + "\", \"configuration\": " + configuration + "}";
        return codec.equals("bytes") ? "[" + spec + "]" : "[LITTLE, " + spec + "]";
    }

    /** A missing field that only an encoder needs prevents writing, not reading. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # codec | configuration | the message for who writes, from the field on
                    zstd  | {"level": 23}        | level is 23, expected a whole number from -131072
                    zstd  | {"level": -131073}   | level is -131073, expected a whole number
                    zstd  | {"level": "1"}       | level is "1", expected a whole number
                    zstd  | {"checksum": 1}      | checksum is 1, expected true or false
                    gzip  | {"level": 10}        | level is 10, expected a whole number from 0 to 9
                    gzip  | {"level": -1}        | level is -1, expected a whole number from 0 to 9
                    gzip  | {"level": "4"}       | level is "4", expected a whole number
                    gzip  | {"level": [1]}       | level is [1], expected a whole number
                    numcodecs.zlib | {"level": "4"} | level is "4", expected a whole number
                    numcodecs.bz2  | {"level": 0}   | level is 0, expected a whole number from 1
                    numcodecs.lzma | {"preset": 10} | preset has level 10, expected 0 to 9
                    numcodecs.lzma | {"check": 16}  | check is 16, expected a whole number
                    numcodecs.lzma | {"filters": 3} | filters is 3, expected an array
                    """)
    void readsWhateverOnlyEncodersNeed(String codec, String configuration, String problem) {
        String codecs = chain(codec, configuration);
        assertEquals(1, parse("int32", "[4, 6]", codecs).bytesCodecs().size());
        ArrayMetadata array = array("int32", "[4, 6]", codecs);
        FormatException e =
                assertThrows(
                        FormatException.class,
                        () -> ArrayPipeline.forWriting("u/zarr.json", array, List.of()));
        String expected = "u/zarr.json: codec " + codec + "." + problem;
        assertTrue(e.getMessage().startsWith(expected), e::getMessage);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "numcodecs.lz4|{\"acceleration\": \"fast\"}",
                "blosc|{\"typesize\": -1, \"blocksize\": null, \"clevel\": \"x\", \"shuffle\": 7}",
                "numcodecs.blosc|{\"cname\": \"unknown\", \"nthreads\": []}",
                "zstd|{\"level\": null, \"checksum\": null}",
                "gzip|{}",
            })
    void otherParametersOfEncodersAreNotLookedAt(String codec) {
        String[] parts = codec.split("\\|");
        assertEquals(1, parse("int32", "[4, 6]", chain(parts[0], parts[1])).bytesCodecs().size());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # order | the message, from the field on
                    [0] | is [0], expected a permutation of 0 to 1
                    [0, 0] | is [0, 0], expected a permutation of 0 to 1
                    [0, 2] | is [0, 2], expected a permutation of 0 to 1
                    [0, 64] | is [0, 64], expected a permutation of 0 to 1
                    [1, 0, 2] | is [1, 0, 2], expected a permutation of 0 to 1
                    [] | is empty, the array is not
                    [-1, 0] | [0] is -1, expected a whole number from 0 to 64
                    [0, 4294967296] | [1] is 4294967296, expected a whole number from 0 to 64
                    "X" | is "X", expected an array
                    null | is null, expected an array
                    """)
    void refusesATransposition(String order, String problem) {
        String transpose =
                "{\"name\": \"transpose\", \"configuration\": {\"order\": " + order + "}}";
        String place = problem.startsWith("[") ? "codec transpose.order" : "codec transpose.order ";
        assertRefused("[4, 6]", "[" + transpose + ", LITTLE]", place + problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # what of the configuration changes | the message, from the field on
                    "chunk_shape": [2] | chunk_shape is [2], which has another rank than the shard
                    "chunk_shape": [2, 4] | chunk_shape is [2, 4], which does not divide the shard
                    "chunk_shape": [8, 6] | chunk_shape is [8, 6], which does not divide the shard
                    "chunk_shape": [2, 0] | chunk_shape[1] is 0, expected a whole number, at least 1
                    "chunk_shape": null | chunk_shape is null, expected an array
                    "codecs": null | codecs is null, expected an array
                    "index_location": "middle" | index_location is "middle", expected "start" or
                    "index_location": 1 | index_location is 1, expected a string
                    "index_codecs": null | index_codecs is null, expected an array
                    "index_codecs": [] | index_codecs must be bytes, behind transpose or at
                    "index_codecs": ["crc32c"] | index_codecs must be bytes, behind transpose or at
                    "index_codecs": ["transpose"] | index_codecs must be bytes, behind transpose or
                    "index_codecs": [LITTLE, "gzip"] | index_codecs may have nothing but crc32c
                    "index_codecs": [LITTLE, "crc32c", "crc32c"] | index_codecs may have nothing but
                    """)
    void refusesAShard(String change, String problem) {
        String name = change.substring(0, change.indexOf(':'));
        StringBuilder configuration = new StringBuilder(change);
        String[] others = {
            "\"chunk_shape\": [2, 3]", "\"codecs\": [LITTLE]", "\"index_codecs\": [LITTLE]"
        };
        for (String other : others) {
            if (!other.startsWith(name)) {
                configuration.append(", ").append(other);
            }
        }
        String codecs = sharding(configuration.toString());
        assertRefused("[4, 6]", codecs, "codec sharding_indexed." + problem);
    }

    @Test
    void refusesAChainInsideAShardWithItsPlace() {
        String index = "\"index_codecs\": [LITTLE], \"chunk_shape\": [2, 3]";
        String inner = sharding(index + ", \"codecs\": [LITTLE, LITTLE]");
        assertRefused("[4, 6]", inner, "codecs[0].codecs[1] bytes stands behind");
        String innermost = sharding(index + ", \"codecs\": " + inner);
        assertRefused("[4, 6]", innermost, "codecs[0].codecs[0].codecs[1] bytes stands behind");
        assertRefused(
                "[4, 6]",
                sharding(index + ", \"codecs\": []"),
                "codecs[0].codecs has no array-to-bytes codec");
    }

    @Test
    void refusesAnIndexWithoutAByteOrder() {
        String codecs =
                sharding(
                        "\"chunk_shape\": [2, 3], \"codecs\": [LITTLE],"
                                + "\"index_codecs\": [\"bytes\"]");
        assertRefused("[4, 6]", codecs, "codec bytes.endian is missing");
    }

    @Test
    void boundsChunksAndShards() {
        assertRefused(
                "[1099511627776, 65]",
                "[LITTLE]",
                "chunk_grid has chunks of 285873023221760 bytes: too large");
        assertEquals(1L << 48, parse("int32", "[1099511627776, 64]", "[LITTLE]").decodedBytes());
        String single =
                sharding(
                        "\"chunk_shape\": [1, 1], \"codecs\": [LITTLE],"
                                + "\"index_codecs\": [LITTLE]");
        assertRefused(
                "[16384, 4097]",
                single,
                "codec sharding_indexed.chunk_shape makes 67125248 inner chunks a shard");
        Serializer.Shard shard =
                (Serializer.Shard) parse("int8", "[16384, 4096]", single).serializer();
        assertEquals(1L << 26, shard.chunks());
    }

    /** Python writes it into documents, and it is no BigDecimal. */
    @Test
    void aNumberOfAConfigurationMayBeNaN() {
        String codecs =
                """
                [{"name": "numcodecs.fixedscaleoffset", "configuration":
                    {"scale": NaN, "offset": -Infinity, "dtype": "<f8"}}, LITTLE]
                """;
        assertInstanceOf(Serializer.Filtered.class, parse("float64", "[4]", codecs).serializer());
    }

    /** The fields of a .zarray, and codecs by its ids. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    # dtype | filters | compressor | the message
                    "<i4" | null | {"id": "lzw"} | compressor names the codec "lzw", which is not known; known are delta,
                    "<i4" | [{"id": "lzw"}] | null | filters[0] names the codec "lzw", which
                    "<i4" | [{"id": "shuffle"}, {"id": "lzw"}] | null | filters[1] names the codec "lzw"
                    "<i4" | null | {"id": "crc32", "location": 1} | compressor.location is 1, expected a string
                    "<i4" | [{"id": "shuffle", "elementsize": -1}] | null | filters[0].elementsize is -1
                    "<i4" | [{"id": "zlib"}, {"id": "delta", "dtype": "<i4"}] | null | filters[1] delta stands behind
                    "<i4" | [{"id": "fixedscaleoffset", "dtype": "<i4"}] | null | filters[0].scale is missing
                    "<i4" | null | {"id": "zfpy"} | compressor is not supported: zfpy needs the library libzfp
                    "O" | [{"id": "pickle"}] | null | filters has none that encodes objects and is known: vlen-utf8, vlen-bytes, vlen-array, json2, categorize; it has [pickle]
                    "O" | [{"id": "zlib"}, {"id": "vlen-utf8"}] | null | filters[0] zlib stands before
                    "O" | [{"id": "vlen-array", "dtype": ">i4"}] | null | filters[0].dtype is big-endian
                    "O" | [{"id": "categorize", "labels": [7]}] | null | filters[0].labels holds 7
                    "O" | [{"id": "categorize", "labels": ["\\ud800"]}] | null | filters[0].labels has one
                    "O" | [{"id": "categorize", "labels": [], "astype": "<f4"}] | null | filters[0].astype is <f4
                    "<U3" | [{"id": "categorize", "labels": [], "dtype": "<U4"}] | null | filters[0].dtype is "<U4", which is not the text
                    "<i4" | [{"id": "categorize", "labels": [], "dtype": "<i4"}] | null | filters[0].dtype is "<i4", which is not the text
                    """)
    void ofVersion2NamesTheFieldsOfItsDocument(
            String dtype, String filters, String compressor, String problem) {
        String document =
                """
                {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": %s, "order": "F",
                 "fill_value": null, "filters": %s, "compressor": %s}
                """
                        .formatted(dtype, filters, compressor);
        FormatException e =
                assertThrows(
                        FormatException.class,
                        () ->
                                new ArrayPipeline(
                                        "u/.zarray",
                                        MetadataV2Reader.readArray(
                                                new Document(
                                                        "u/.zarray",
                                                        document.getBytes(StandardCharsets.UTF_8)),
                                                Optional.empty())));
        assertTrue(e.getMessage().startsWith("u/.zarray: " + problem), e::getMessage);
        assertFalse(e.getMessage().contains("numcodecs."), e::getMessage);
    }

    private static void assertRefused(String chunkShape, String codecs, String problem) {
        FormatException e =
                assertThrows(FormatException.class, () -> parse("int32", chunkShape, codecs));
        assertTrue(e.getMessage().startsWith("u/zarr.json: " + problem), e::getMessage);
    }
}
