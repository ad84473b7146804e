package io.zarrengine.zarr.metadata;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.StructType;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.json.Json;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Written metadata reads back as the same metadata. */
final class MetadataWriterTest {
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void readsBackTheArrayThatWasWritten(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 300; round++) {
            ArrayMetadata array = randomArray(random);
            byte[] text = MetadataWriter.write("zarr.json", array);
            NodeMetadata again = MetadataReader.read("u/zarr.json", text, DataTypes.builtIn());
            assertSame(array, (ArrayMetadata) again, new String(text, StandardCharsets.UTF_8));
        }
    }

    private static void assertSame(ArrayMetadata expected, ArrayMetadata actual, String text) {
        assertArrayEquals(expected.shape(), actual.shape(), text);
        assertArrayEquals(expected.chunkShape(), actual.chunkShape(), text);
        assertEquals(expected.dataType(), actual.dataType(), text);
        assertArrayEquals(expected.fillValue(), actual.fillValue(), text);
        assertEquals(expected.chunkKeyEncoding(), actual.chunkKeyEncoding(), text);
        assertEquals(expected.codecs(), actual.codecs(), text);
        assertEquals(expected.attributes(), actual.attributes(), text);
        assertEquals(expected.dimensionNames(), actual.dimensionNames(), text);
    }

    private static ArrayMetadata randomArray(SplittableRandom random) {
        NumericType[] types = NumericType.values();
        NumericType type = types[random.nextInt(types.length)];
        int rank = random.nextInt(5);
        ArrayMetadata.Builder builder =
                ArrayMetadata.builder(type, random.longs(rank, 0, 5000).toArray())
                        .chunkShape(random.longs(rank, 1, 5000).toArray())
                        .fillValue(randomFill(type, random))
                        .chunkKeyEncoding(
                                new ChunkKeyEncoding(
                                        random.nextBoolean()
                                                ? ChunkKeyEncoding.Style.DEFAULT
                                                : ChunkKeyEncoding.Style.V2,
                                        random.nextBoolean() ? "/" : "."))
                        .codecs(randomCodecs(random))
                        .attributes(randomObject(random, 3));
        if (random.nextBoolean()) {
            List<String> names = new ArrayList<>();
            for (int i = 0; i < rank; i++) {
                names.add(random.nextBoolean() ? randomText(random) : null);
            }
            builder.dimensionNames(names);
        }
        return builder.build();
    }

    /** Returns a valid element of the type: 0 or 1 for the small types. */
    private static byte[] randomFill(NumericType type, SplittableRandom random) {
        byte[] element = new byte[type.byteSize()];
        random.nextBytes(element);
        boolean small = type.byteSize() == 1 || type.name().startsWith("COMPLEX_FLOAT");
        for (int i = 0; small && i < element.length; i++) {
            element[i] &= 1;
        }
        return element;
    }

    private static List<CodecSpec> randomCodecs(SplittableRandom random) {
        List<CodecSpec> codecs = new ArrayList<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            codecs.add(new CodecSpec(randomText(random), randomObject(random, 2)));
        }
        return codecs;
    }

    private static Map<String, Object> randomObject(SplittableRandom random, int depth) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            object.put(randomText(random), randomValue(random, depth));
        }
        return object;
    }

    private static Object randomValue(SplittableRandom random, int depth) {
        return switch (random.nextInt(depth > 0 ? 9 : 7)) {
            case 0 -> null;
            case 1 -> random.nextBoolean();
            case 2 -> random.nextLong();
            case 3 -> new BigInteger(80, new Random(random.nextLong())).setBit(80);
            case 4 -> new BigDecimal(BigInteger.valueOf(random.nextLong()), random.nextInt(1, 99));
            case 5 -> -0.0;
            case 6 -> randomText(random);
            case 7 -> Arrays.asList(randomValue(random, depth - 1), randomText(random));
            default -> randomObject(random, depth - 1);
        };
    }

    private static String randomText(SplittableRandom random) {
        String letters = "ab\"\\\n\t\u0001é漢/ \ud83d\ude00";
        int[] points = letters.codePoints().toArray();
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(6); i > 0; i--) {
            text.appendCodePoint(points[random.nextInt(points.length)]);
        }
        return text.toString();
    }

    @Test
    void readsBackTheGroupThatWasWritten() {
        GroupMetadata group = new GroupMetadata(Map.of("a", List.of(1L, "b")));
        assertEquals(
                group,
                MetadataReader.read(
                        "zarr.json",
                        MetadataWriter.write("zarr.json", group),
                        DataTypes.builtIn()));
    }

    @Test
    void leavesOutEmptyMembers() {
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.INT8, 3)
                        .codecs(List.of(new CodecSpec("bytes", Map.of()), CodecSpec.crc32c()))
                        .build();
        Map<String, Object> document = MetadataWriter.toMap(array);
        assertFalse(document.containsKey("dimension_names"));
        assertEquals(
                List.of(Map.of("name", "bytes"), Map.of("name", "crc32c")), document.get("codecs"));
    }

    /** Inside shards too. zarr-python, TensorStore and zarr-java each refuse another spelling. */
    @Test
    void writesCodecsThatEveryReaderAccepts() {
        CodecSpec fletcher32 = new CodecSpec("numcodecs.fletcher32", Map.of());
        CodecSpec sharding =
                CodecSpec.sharding(
                        new long[] {3},
                        CodecSpec.bytes(),
                        new CodecSpec("zstd", Map.of()),
                        new CodecSpec("gzip", Map.of()),
                        CodecSpec.crc32c(),
                        fletcher32);
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.INT8, 3).codecs(List.of(sharding)).build();
        Map<?, ?> configuration =
                (Map<?, ?>) ((Map<?, ?>) writtenCodecs(array).getFirst()).get("configuration");
        Map<String, Object> little =
                Map.of("name", "bytes", "configuration", Map.of("endian", "little"));
        Map<String, Object> crc32c = Map.of("name", "crc32c");
        assertEquals(List.of(little, crc32c), configuration.get("index_codecs"));
        assertEquals(
                List.of(
                        little,
                        Map.of(
                                "name",
                                "zstd",
                                "configuration",
                                Map.of("level", 0L, "checksum", false)),
                        Map.of("name", "gzip", "configuration", Map.of("level", 5L)),
                        crc32c,
                        Map.of("name", "numcodecs.fletcher32", "configuration", Map.of())),
                configuration.get("codecs"));
    }

    private static List<?> writtenCodecs(ArrayMetadata array) {
        byte[] text = MetadataWriter.write("zarr.json", array);
        return (List<?>) ((Map<?, ?>) Json.parse("zarr.json", text)).get("codecs");
    }

    /** zarr-python takes an element size of 0 for none, and refuses unknown members. */
    @Test
    void writesTheMeaningOfALenientDocument() {
        CodecSpec transpose = new CodecSpec("transpose", Map.of("order", "F"));
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.INT32, 3, 4, 5)
                        .codecs(
                                List.of(
                                        transpose,
                                        CodecSpec.bytes(),
                                        new CodecSpec("shuffle", Map.of("elementsize", "0")),
                                        new CodecSpec("zlib", Map.of("level", 2, "nthreads", 4)),
                                        new CodecSpec("lzma", Map.of("filters", List.of()))))
                        .build();
        assertEquals(
                List.of(
                        written("transpose", Map.of("order", List.of(2L, 1L, 0L))),
                        written("bytes", Map.of("endian", "little")),
                        written("numcodecs.shuffle", Map.of("elementsize", 4L)),
                        written("numcodecs.zlib", Map.of("level", 2L)),
                        written("numcodecs.lzma", Map.of())),
                writtenCodecs(array));
    }

    private static Map<String, Object> written(String name, Map<String, Object> configuration) {
        return Map.of("name", name, "configuration", configuration);
    }

    /** Also a builder's own codecs, because {@code CodecSpec.sharding} nests them. */
    @Test
    void writesTheCodecsThatAProgramNames() {
        CodecSpec sharding =
                CodecSpec.sharding(
                        new long[] {2, 3},
                        CodecSpec.transpose(1, 0),
                        CodecSpec.bytes(),
                        CodecSpec.zstd(-5));
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.INT16, 4, 6)
                        .codecs(List.of(sharding, CodecSpec.gzip(9), CodecSpec.crc32c()))
                        .build();
        byte[] text = MetadataWriter.write("zarr.json", array);
        ArrayMetadata again =
                (ArrayMetadata) MetadataReader.read("u/zarr.json", text, DataTypes.builtIn());
        assertSame(array, again, "");
    }

    @Test
    void writesNumbersThatJsonDoesNotHaveAsText() {
        List<Object> numbers =
                List.of(Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.5, 7);
        String text = new String(MetadataWriter.toJson(numbers, false), StandardCharsets.UTF_8);
        assertEquals("[\"NaN\",\"Infinity\",\"-Infinity\",0.5,7]", text);
        assertTrue(
                new String(MetadataWriter.toJson(Map.of("a", 1), true), StandardCharsets.UTF_8)
                        .contains("\n"));
    }

    @Test
    void refusesOtherValuesThanJson() {
        List<Object> list = List.of(new int[1]);
        assertThrows(IllegalArgumentException.class, () -> MetadataWriter.toJson(list, false));
    }

    /** Fields would be read as values of another byte order, or as fewer. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            quoteCharacter = '`',
            textBlock =
                    """
                    [["x", "|u1"], ["a", ">i4"]] ; "a": a byte order of its own is for version 2 only
                    [["a", "<i4"]] ; "a": a byte order of its own
                    [["a", "|u1", [3]]] ; "a": an array of the shape [3] is for version 2 only
                    """)
    void refusesStructsThatOnlyVersion2Has(String dtype, String problem) {
        ArrayMetadata array = ofVersion2(dtype);
        FormatException e =
                assertThrows(FormatException.class, () -> MetadataWriter.write("zarr.json", array));
        assertTrue(
                e.getMessage().startsWith("zarr.json: data_type cannot have the field " + problem),
                e::getMessage);
    }

    @Test
    void refusesThemInsideOthers() {
        StructType inner = (StructType) ofVersion2("[[\"a\", \">i4\"]]").dataType();
        StructType outer = new StructType(List.of(new StructType.Field("b", inner)));
        ArrayMetadata array = ArrayMetadata.builder(outer, 4).build();
        FormatException e =
                assertThrows(FormatException.class, () -> MetadataWriter.write("zarr.json", array));
        assertTrue(e.getMessage().contains("the field \"a\""), e::getMessage);
    }

    @Test
    void writesStructsOfVersion2ThatVersion3HasToo() {
        ArrayMetadata array = ofVersion2("[[\"a\", \"|u1\"], [\"b\", \"|b1\"]]");
        String text = new String(MetadataWriter.write("zarr.json", array), StandardCharsets.UTF_8);
        assertTrue(text.contains("uint8") && text.contains("bool"), text);
    }

    private static ArrayMetadata ofVersion2(String dtype) {
        String document =
                """
                {"zarr_format": 2, "shape": [4], "chunks": [4], "dtype": %s, "order": "C",
                 "fill_value": null, "filters": null, "compressor": null}
                """
                        .formatted(dtype);
        return MetadataV2Reader.readArray(
                new Document("u/.zarray", document.getBytes(StandardCharsets.UTF_8)),
                Optional.empty());
    }

    /** Python writes NaN, so attributes that were read may hold it. */
    @Test
    void refusesAttributesThatJsonDoesNotHave() {
        Map<String, Object> attributes =
                Map.of("a", List.of(1L, Map.of("b", Double.NEGATIVE_INFINITY)));
        ArrayMetadata array =
                ArrayMetadata.builder(NumericType.INT8, 3).attributes(attributes).build();
        GroupMetadata group = new GroupMetadata(attributes);
        for (Executable write :
                List.<Executable>of(
                        () -> MetadataWriter.write("zarr.json", array),
                        () -> MetadataWriter.write("zarr.json", group))) {
            FormatException e = assertThrows(FormatException.class, write);
            assertEquals(
                    "zarr.json: attributes.a is [1,{\"b\":\"-Infinity\"}]: JSON has no NaN and no"
                            + " infinities",
                    e.getMessage());
        }
    }

    /** Otherwise the document would be written and could never be read. */
    @Test
    void refusesAttributesThatAreTooDeep() {
        Object deepest = List.of();
        for (int i = 1; i < 198; i++) {
            deepest = List.of(deepest);
        }
        Map<String, Object> attributes = Map.of("a", deepest);
        byte[] document = MetadataWriter.write("zarr.json", new GroupMetadata(attributes));
        assertEquals(attributes, ((Map<?, ?>) Json.parse("zarr.json", document)).get("attributes"));
        GroupMetadata deeper = new GroupMetadata(Map.of("a", List.of(deepest)));
        FormatException e =
                assertThrows(
                        FormatException.class, () -> MetadataWriter.write("zarr.json", deeper));
        assertTrue(e.getMessage().contains("nesting depth"), e::getMessage);
    }

    /** JSON can hold it as an escape, which Python writes and the engine reads. */
    @Test
    void refusesHalfASurrogatePair() {
        Map<String, Object> inValue = Map.of("a", List.of(Map.of("b", "\uD800")));
        Map<String, Object> inName = Map.of("\uDC00", "b");
        for (Map<String, Object> attributes : List.of(inValue, inName)) {
            GroupMetadata group = new GroupMetadata(attributes);
            FormatException e =
                    assertThrows(
                            FormatException.class, () -> MetadataWriter.write("zarr.json", group));
            assertTrue(e.getMessage().endsWith("it has half a surrogate pair"), e::getMessage);
        }
    }
}
