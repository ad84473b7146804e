package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.BudgetExceededException;
import io.zarrengine.zarr.errors.CorruptChunkException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shards below filters. The stored bytes are those that zarr-python 3.1.6 wrote. */
final class FilteredShardReadTest {
    private static final String DOCUMENT =
            """
            {"zarr_format": 3, "node_type": "array", "shape": [%s], "data_type": "%s",
             "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [%s]}},
             "chunk_key_encoding": "default", "fill_value": %s, "codecs": [%s,
                {"name": "sharding_indexed", "configuration": {"chunk_shape": [%s],
                    "codecs": [%s],
                    "index_codecs": [{"name": "bytes", "configuration": {"endian": "little"}},
                        {"name": "crc32c"}]}}]}
            """;

    private static final String LITTLE =
            "{\"name\": \"bytes\", \"configuration\": {\"endian\": \"little\"}}";

    private static final String SMALL_FLOATS =
            "{\"encode_dtype\": \"float8_e4m3fn\", \"decode_dtype\": \"<f8\"}";

    private static final String MISSING = "ff".repeat(16);

    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeEach
    void open() {
        engine = ZarrEngine.builder().workers(1).budgetBytes(64L << 20).open();
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private void write(String document, String shard) throws IOException {
        Files.writeString(folder.resolve("zarr.json"), document);
        Files.createDirectories(folder.resolve("c"));
        Files.write(folder.resolve("c/0"), HexFormat.of().parseHex(shard));
    }

    /** The differences are 5, 0, 0, ...: all inner chunks but the first are missing. */
    @Test
    void continuesSumsThroughMissingInnerChunks() throws IOException {
        String delta = "{\"name\": \"numcodecs.delta\", \"configuration\": {\"dtype\": \"i4\"}}";
        write(
                DOCUMENT.formatted(48, "int32", 24, 0, delta, 6, LITTLE),
                "05" + "00".repeat(31) + "1800000000000000" + MISSING.repeat(3) + "99caea23");
        int[] expected = new int[48];
        Arrays.fill(expected, 0, 24, 5);
        try (ZarrArray array = engine.openArray(folder);
                HostTensor all = array.read(Selection.all());
                HostTensor some = array.read(Selection.of("20:28:3"))) {
            assertArrayEquals(expected, all.segment().toArray(JAVA_INT));
            assertArrayEquals(new int[] {5, 5, 0}, some.segment().toArray(JAVA_INT));
        }
    }

    /** A missing inner chunk holds the fill value of the stored type: 0 / 10 + 1000. */
    @Test
    void decodesAMissingInnerChunkLikeTheOthers() throws IOException {
        String scaled =
                "{\"name\": \"numcodecs.fixedscaleoffset\", \"configuration\": {\"offset\": 1000,"
                        + " \"scale\": 10, \"dtype\": \"f8\", \"astype\": \"i2\"}}";
        write(
                DOCUMENT.formatted(48, "float64", 24, 0, scaled, 6, LITTLE),
                "0a00" + "00".repeat(18) + "0c00000000000000" + MISSING.repeat(3) + "624e3b9f");
        double[] expected = new double[48]; // The second shard is missing: 0.
        Arrays.fill(expected, 0, 24, 1000);
        expected[0] = 1001;
        try (ZarrArray array = engine.openArray(folder);
                HostTensor all = array.read(Selection.all())) {
            assertArrayEquals(expected, all.segment().toArray(JAVA_DOUBLE));
        }
    }

    /** These codecs encode the fill value like elements, so decoding must restore it. */
    @Test
    void scalesAndCastsTheFillValueLikeElements() throws IOException {
        assertMissingIs(30, "scale_offset", "{\"scale\": 2, \"offset\": 10}", "30");
        assertMissingIs(30, "scale_offset", "{\"scale\": 0.5, \"offset\": 10}", "30");
        assertMissingIs(
                Double.NaN,
                "cast_value",
                "{\"data_type\": \"int8\", \"scalar_map\": {\"encode\": [[\"NaN\", -7]],"
                        + " \"decode\": [[-7, \"NaN\"]]}}",
                "\"NaN\"");
    }

    /** 300 is no int8: no stored value stands for it, so it stays as it is. */
    @Test
    void keepsAFillValueThatCannotBeStored() throws IOException {
        assertMissingIs(300, "cast_value", "{\"data_type\": \"int8\"}", "300");
        assertMissingIs(Double.NaN, "cast_value", "{\"data_type\": \"int8\"}", "\"NaN\"");
    }

    /** A cast to a type without infinities used to fail with another error than codecs do. */
    @Test
    void keepsAFillValueOutsideTheStoredType() throws IOException {
        assertMissingIs(1e9, "numcodecs.astype", SMALL_FLOATS, "1e9");
    }

    /** Reads a shard without any inner chunk. */
    private void assertMissingIs(double expected, String name, String configuration, String fill)
            throws IOException {
        String codec = "{\"name\": \"%s\", \"configuration\": %s}".formatted(name, configuration);
        CRC32C checksum = new CRC32C();
        checksum.update(HexFormat.of().parseHex(MISSING));
        int swapped = Integer.reverseBytes((int) checksum.getValue());
        String serializer = name.equals("scale_offset") ? LITTLE : "{\"name\": \"bytes\"}";
        write(
                DOCUMENT.formatted(4, "float64", 4, fill, codec, 4, serializer),
                MISSING + HexFormat.of().toHexDigits(swapped));
        try (ZarrArray array = engine.openArray(folder);
                HostTensor all = array.read(Selection.all())) {
            assertEquals(expected, all.segment().get(JAVA_DOUBLE, 8));
        }
    }

    @Test
    void failsWithACorruptChunkForAnElementOutsideTheType() throws IOException {
        write(
                """
                {"zarr_format": 3, "node_type": "array", "shape": [1], "data_type": "float8_e4m3fn",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [1]}},
                 "chunk_key_encoding": {"name": "default"}, "fill_value": 0,
                 "codecs": [{"name": "numcodecs.astype", "configuration":
                 {"encode_dtype": "<i2", "decode_dtype": "float8_e4m3fn"}},
                 {"name": "bytes", "configuration": {"endian": "little"}}]}
                """,
                "ff7f");
        try (ZarrArray array = engine.openArray(folder)) {
            CorruptChunkException e =
                    assertThrows(
                            CorruptChunkException.class, () -> array.read(Selection.all()).close());
            assertTrue(e.getMessage().startsWith(folder.resolve("c/0") + ": "), e::getMessage);
            assertTrue(e.getMessage().contains("numcodecs.astype: 32767.0"), e::getMessage);
        }
    }

    /** The filter's output is 7 bytes; the first says how many bits are unused. */
    @Test
    void readsPackedBitsFromAShardOfBytes() throws IOException {
        StringBuilder shard = new StringBuilder("924924924924").append(MISSING);
        for (int i = 0; i < 6; i++) {
            shard.append("0%d00000000000000".formatted(i)).append("0100000000000000");
        }
        String packed = "{\"name\": \"numcodecs.packbits\"}";
        write(
                DOCUMENT.formatted(48, "bool", 48, "false", packed, 1, "{\"name\": \"bytes\"}"),
                shard.append("fb9b9046").toString());
        try (ZarrArray array = engine.openArray(folder);
                HostTensor some = array.read(Selection.of("::-1"))) {
            byte[] expected = new byte[48];
            IntStream.range(0, 48).filter(i -> i % 3 == 0).forEach(i -> expected[47 - i] = 1);
            assertArrayEquals(expected, some.segment().toArray(JAVA_BYTE));
        }
    }

    /**
     * The size of the shard is a claim of the metadata: a small file must not make the engine
     * allocate it.
     */
    @Test
    void refusesAWholeDecodedShardBeyondTheBudget() throws IOException {
        String delta = "{\"name\": \"numcodecs.delta\", \"configuration\": {\"dtype\": \"i4\"}}";
        write(
                DOCUMENT.formatted(1L << 30, "int32", 1L << 30, 0, delta, 1L << 30, LITTLE),
                MISSING + "00000000");
        try (ZarrArray array = engine.openArray(folder)) {
            BudgetExceededException e =
                    assertThrows(
                            BudgetExceededException.class,
                            () -> array.read(Selection.of("7")).close());
            assertTrue(e.getMessage().contains("c/0"), e::getMessage);
        }
    }

    /** Placing cannot undo a transposition after a reshape. */
    @Test
    void readsReshapedAndTransposedStrings() throws IOException {
        String document =
                """
                {"zarr_format": 3, "node_type": "array", "shape": [6], "data_type": "string",
                 "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": [6]}},
                 "chunk_key_encoding": "default", "fill_value": "", "codecs": [
                    {"name": "reshape", "configuration": {"shape": [2, 3]}},
                    {"name": "transpose", "configuration": {"order": [1, 0]}}, "vlen-utf8"]}
                """;
        StringBuilder chunk = new StringBuilder("06000000");
        for (String letter : List.of("a", "d", "b", "e", "c", "f")) {
            chunk.append("01000000").append(HexFormat.of().toHexDigits((byte) letter.charAt(0)));
        }
        write(document, chunk.toString());
        try (ZarrArray array = engine.openArray(folder);
                VariableLengthTensor tensor = array.readVariableLength(Selection.of("1:5"))) {
            assertEquals(List.of("b", "c", "d", "e"), List.copyOf(tensor.strings()));
        }
    }
}
