package io.zarrengine.zarr;

import static io.zarrengine.zarr.DeviceTensors.assertHolds;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.errors.CorruptChunkException;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.MetadataWriter;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares filters that the GPU undoes with those of the host: numbers of every type to every
 * other, with any bits.
 */
@NeedsDevice
final class DeviceConversionTest {
    private static final Target DEVICE = Target.cuda(0);
    private static final long[] SHAPE = {40, 60};
    private static final long[] SHARD = {20, 30};
    private static final long[] INNER = {10, 10};

    private static final List<NumericType> TYPES =
            List.of(
                    NumericType.INT8,
                    NumericType.INT16,
                    NumericType.INT32,
                    NumericType.INT64,
                    NumericType.UINT8,
                    NumericType.UINT16,
                    NumericType.UINT32,
                    NumericType.UINT64,
                    NumericType.FLOAT32,
                    NumericType.FLOAT64);

    /** Bits of floats and of integers: zeros, the largest, infinities, NaNs with a payload. */
    private static final long[] SPECIALS = {
        0,
        -1,
        Long.MIN_VALUE,
        Long.MAX_VALUE,
        0x8000_0000_8000_0000L, // -0.0f, twice
        0x7f80_0000_7f80_0000L,
        0xff80_0000_7f80_0001L, // -Infinity, signalling NaN
        0x7fc1_2345_ffc0_0001L, // NaN
        0x7f7f_ffff_0000_0001L, // the largest float, the smallest
        Double.doubleToRawLongBits(Double.NEGATIVE_INFINITY),
        0x7ff8_1234_5678_9abcL, // NaN
        0xfff0_0000_0000_0001L, // signalling NaN
        Double.doubleToRawLongBits(0x1p63),
        Double.doubleToRawLongBits(0x1p64),
        Double.doubleToRawLongBits(-1.5),
        Double.doubleToRawLongBits(1e-310),
        Double.doubleToRawLongBits(3.5e38) // beyond float32
    };

    @TempDir Path folder;

    private ZarrEngine engine;
    private int arrays; // number of arrays written

    @BeforeEach
    void open() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
        engine = DeviceEngines.open();
    }

    @AfterEach
    void close() {
        if (engine != null) { // null if opening it was skipped
            engine.close();
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.zarrengine.zarr.Seeds#seeds")
    void convertsAsTheHostDoes(long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        for (NumericType stored : TYPES) {
            for (NumericType wanted : TYPES) {
                assertReads(random, stored, wanted, filters(random, stored, wanted));
            }
        }
    }

    /** Returns random filters: name, configuration and scale are random, and may be invalid. */
    private static List<CodecSpec> filters(
            SplittableRandom random, NumericType stored, NumericType wanted) {
        boolean isFloat = wanted == NumericType.FLOAT32 || wanted == NumericType.FLOAT64;
        return switch (random.nextInt(isFloat ? 4 : 3)) {
            case 0 -> List.of(asType(stored, wanted));
            case 1 -> List.of(fixedScaleOffset(random, stored, wanted));
            case 2 -> List.of(castValue(random, stored));
            default -> List.of(scaleOffset(random), castValue(random, stored));
        };
    }

    private static CodecSpec asType(NumericType stored, NumericType wanted) {
        return new CodecSpec(
                "numcodecs.astype",
                Map.of("encode_dtype", stored.typeName(), "decode_dtype", wanted.typeName()));
    }

    private static CodecSpec fixedScaleOffset(
            SplittableRandom random, NumericType stored, NumericType wanted) {
        return new CodecSpec(
                "numcodecs.fixedscaleoffset",
                Map.of(
                        "scale",
                        random.nextBoolean() ? 100L : random.nextDouble(-10, 10),
                        "offset",
                        random.nextBoolean() ? 273.15 : random.nextDouble(-1e5, 1e5),
                        "dtype",
                        wanted.typeName(),
                        "astype",
                        stored.typeName()));
    }

    private static CodecSpec castValue(SplittableRandom random, NumericType stored) {
        String rounding = random.nextInt(4) == 0 ? "towards-zero" : "nearest-even";
        List<String> rules = rules(stored);
        return castValue(stored, rounding, rules.get(random.nextInt(rules.size())));
    }

    private static CodecSpec castValue(NumericType stored, String rounding, String rule) {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put("data_type", stored.typeName());
        configuration.put("rounding", rounding);
        if (!rule.equals("refuse")) {
            configuration.put("out_of_range", rule);
        }
        return new CodecSpec("cast_value", configuration);
    }

    /** Returns the rules for numbers out of range. Only integers can wrap. */
    private static List<String> rules(NumericType stored) {
        boolean isFloat = stored == NumericType.FLOAT32 || stored == NumericType.FLOAT64;
        return isFloat ? List.of("refuse", "clamp") : List.of("refuse", "clamp", "wrap");
    }

    /** Most casts refuse some of these numbers, or round them differently from a plain cast. */
    @Test
    void castsByValueAsTheHostDoes() throws IOException {
        SplittableRandom random = new SplittableRandom(2);
        List<NumericType> types =
                List.of(
                        NumericType.INT8,
                        NumericType.UINT64,
                        NumericType.FLOAT32,
                        NumericType.FLOAT64);
        for (NumericType stored : types) {
            for (NumericType wanted : types) {
                for (String rule : rules(stored)) {
                    for (String rounding : List.of("nearest-even", "towards-positive")) {
                        CodecSpec cast = castValue(stored, rounding, rule);
                        assertReads(random, stored, wanted, List.of(cast));
                    }
                }
            }
        }
    }

    private static CodecSpec scaleOffset(SplittableRandom random) {
        return new CodecSpec(
                "scale_offset",
                Map.of(
                        "scale",
                        random.nextDouble(-10, 10),
                        "offset",
                        random.nextBoolean() ? -0.0 : 1e30));
    }

    /** Returns a random compression that the engine writes, with shuffle or checksums too. */
    private static List<CodecSpec> bytes(SplittableRandom random, NumericType stored) {
        boolean swaps = random.nextBoolean();
        List<CodecSpec> codecs = new ArrayList<>();
        codecs.add(new CodecSpec("bytes", Map.of("endian", swaps ? "big" : "little")));
        int kind = random.nextInt(4);
        if (kind == 0) {
            long elementBytes = stored.byteSize();
            codecs.add(new CodecSpec("numcodecs.shuffle", Map.of("elementsize", elementBytes)));
        }
        if (kind < 3) {
            codecs.add(CodecSpec.zstd(1));
        }
        if (random.nextBoolean()) {
            codecs.add(CodecSpec.crc32c());
        }
        return codecs;
    }

    private static ArrayMetadata metadata(
            NumericType type, List<CodecSpec> filters, List<CodecSpec> bytes) {
        List<CodecSpec> codecs = new ArrayList<>(filters);
        codecs.add(CodecSpec.sharding(INNER, bytes.toArray(CodecSpec[]::new)));
        return ArrayMetadata.builder(type, SHAPE).chunkShape(SHARD).codecs(codecs).build();
    }

    /**
     * Writes stored numbers, and then a document with the filters, because the engine writes no
     * filters.
     */
    private Path write(
            SplittableRandom random,
            NumericType stored,
            NumericType wanted,
            List<CodecSpec> filters,
            List<CodecSpec> bytes)
            throws IOException {
        Path path = folder.resolve("array-" + arrays++);
        engine.createArray(path, metadata(stored, List.of(), bytes))
                .writeAll((_, numbers) -> fill(random, numbers));
        Files.write(
                path.resolve("zarr.json"),
                MetadataWriter.write("zarr.json", metadata(wanted, filters, bytes)));
        return path;
    }

    private static void fill(SplittableRandom random, MemorySegment numbers) {
        byte[] bytes = new byte[Math.toIntExact(numbers.byteSize())];
        random.nextBytes(bytes);
        numbers.copyFrom(MemorySegment.ofArray(bytes));
        for (long at = 0; at < numbers.byteSize(); at += Long.BYTES * random.nextLong(1, 8)) {
            long special = SPECIALS[random.nextInt(SPECIALS.length)];
            if (at + Long.BYTES <= numbers.byteSize()) {
                numbers.set(JAVA_LONG_UNALIGNED, at, special);
            }
        }
    }

    private void assertReads(
            SplittableRandom random,
            NumericType stored,
            NumericType wanted,
            List<CodecSpec> filters)
            throws IOException {
        List<CodecSpec> bytes = bytes(random, stored);
        Path path = write(random, stored, wanted, filters, bytes);
        try (ZarrArray array = engine.openArray(path)) {
            for (int i = 0; i < 3; i++) {
                Selection box =
                        i == 0
                                ? Selection.all()
                                : new RandomMetadata(random).box(SHAPE).selection();
                assertReads(array, box, stored + " to " + wanted + ": " + filters + bytes);
            }
        }
    }

    private static void assertReads(ZarrArray array, Selection box, String what) {
        try (HostTensor host = array.read(box)) {
            try (DeviceTensor tensor = array.readAsync(box, DEVICE).join()) {
                assertHolds(host.segment().toArray(JAVA_BYTE), tensor);
            } catch (AssertionError | CompletionException e) {
                throw new AssertionError(what, e);
            }
        } catch (CorruptChunkException e) { // The codec refuses a number, on both paths.
            var failure =
                    assertThrows(
                            CompletionException.class, () -> array.readAsync(box, DEVICE).join());
            assertInstanceOf(CorruptChunkException.class, failure.getCause());
        }
    }

    private void assertDecodedByDevice(long chunks, CodecSpec... filters) throws IOException {
        SplittableRandom random = new SplittableRandom(1);
        List<CodecSpec> bytes = List.of(CodecSpec.bytes(), CodecSpec.zstd(1));
        Path path = write(random, NumericType.INT16, NumericType.FLOAT32, List.of(filters), bytes);
        long before = engine.deviceMetrics(0).chunksDecoded();
        try (ZarrArray array = engine.openArray(path)) {
            assertReads(array, Selection.all(), List.of(filters).toString());
        }
        assertEquals(before + chunks, engine.deviceMetrics(0).chunksDecoded());
    }

    /** Typical filters of weather and satellite data. */
    @Test
    void theDeviceDecodesWhatItConverts() throws IOException {
        SplittableRandom random = new SplittableRandom(0);
        CodecSpec cast = new CodecSpec("cast_value", Map.of("data_type", "int16"));
        assertDecodedByDevice(24, asType(NumericType.INT16, NumericType.FLOAT32));
        assertDecodedByDevice(24, cast);
        assertDecodedByDevice(24, scaleOffset(random), cast);
        assertDecodedByDevice(24, fixedScaleOffset(random, NumericType.INT16, NumericType.FLOAT32));
    }

    /** Raw chunks of 4 KiB as stored. Decoded by workers, they would be half as large in a slot. */
    @Test
    void theDeviceConvertsRawChunksOfAWholeSlot() throws IOException {
        engine.close();
        engine = DeviceEngines.open(DeviceLargeChunkContract.TINY);
        List<CodecSpec> bytes = List.of(CodecSpec.bytes());
        Path path = folder.resolve("slots");
        var stored =
                ArrayMetadata.builder(NumericType.FLOAT64, 8, 512).chunkShape(1, 512).codecs(bytes);
        engine.createArray(path, stored.build())
                .writeAll((_, numbers) -> fill(new SplittableRandom(1), numbers));
        var wanted =
                ArrayMetadata.builder(NumericType.FLOAT32, 8, 512)
                        .chunkShape(1, 512)
                        .codecs(
                                List.of(
                                        asType(NumericType.FLOAT64, NumericType.FLOAT32),
                                        CodecSpec.bytes()));
        Files.write(path.resolve("zarr.json"), MetadataWriter.write("zarr.json", wanted.build()));
        try (ZarrArray array = engine.openArray(path)) {
            assertReads(array, Selection.all(), "whole slots");
        }
        assertEquals(8 * 512 * Double.BYTES, engine.deviceMetrics(0).bytesCopied());
    }

    /** The host decodes numbers that stand for others, and a scale that turns zeros into NaN. */
    @Test
    void theHostDecodesWhatTheDeviceDoesNotConvert() throws IOException {
        Map<String, Object> missing =
                Map.of("decode", List.of(List.of(-32768L, "NaN")), "encode", List.of());
        assertDecodedByDevice(
                0,
                new CodecSpec("cast_value", Map.of("data_type", "int16", "scalar_map", missing)));
        CodecSpec cast = new CodecSpec("cast_value", Map.of("data_type", "int16"));
        assertDecodedByDevice(0, new CodecSpec("scale_offset", Map.of("scale", 0.0)), cast);
        assertDecodedByDevice(
                0, new CodecSpec("numcodecs.delta", Map.of("dtype", "float32", "astype", "int16")));
    }
}
