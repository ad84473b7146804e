package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads to targets larger than the caches, which are written with non-temporal stores. In the
 * build, every target of 100 kB counts as such. Covers several workers side by side and mapped
 * files. The slow twin is what was written.
 */
final class FarReadTest {
    private static final long[] SHAPE = {6, 700, 830}; // 7 MB
    // Files are mapped; rows end inside cache lines.
    private static final long[] CHUNK = {4, 450, 540};
    private static final long[] INNER = {2, 45, 90};
    private static final int READS = 4; // from the third read on, files may be mapped

    @TempDir Path folder;
    private final ZarrEngine engine = ZarrEngine.open();

    @BeforeEach
    void needsTheLibrary() {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "libzstd encodes");
    }

    @AfterEach
    void close() {
        engine.close();
    }

    private static List<CodecSpec> codecs(String layout) {
        return switch (layout) {
            case "plain" -> List.of(CodecSpec.bytes());
            case "plain inner chunks" -> List.of(CodecSpec.sharding(INNER, CodecSpec.bytes()));
            case "zstd" -> List.of(CodecSpec.bytes(), CodecSpec.zstd(1));
            case "zstd inner chunks" ->
                    List.of(CodecSpec.sharding(INNER, CodecSpec.bytes(), CodecSpec.zstd(1)));
            case "gzip" -> List.of(CodecSpec.bytes(), CodecSpec.gzip(1));
            case "shuffled" ->
                    List.of(
                            CodecSpec.bytes(),
                            new CodecSpec("numcodecs.shuffle", Map.of("elementsize", 2L)),
                            CodecSpec.zstd(1));
            case "the other byte order" -> List.of(new CodecSpec("bytes", Map.of("endian", "big")));
            default -> throw new IllegalArgumentException(layout);
        };
    }

    private static short element(long z, long y, long x) {
        return (short) (z * 7919 + y * 31 + ((x * x) >>> 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "plain",
                "plain inner chunks",
                "zstd",
                "zstd inner chunks",
                "gzip",
                "shuffled",
                "the other byte order"
            })
    void readsWhatWasWritten(String layout) {
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT16, SHAPE)
                        .chunkShape(CHUNK)
                        .codecs(codecs(layout))
                        .build();
        Path path = folder.resolve("array");
        engine.createArray(path, metadata).writeAll(FarReadTest::fill);
        SplittableRandom random = new SplittableRandom(11);
        try (ZarrArray array = engine.openArray(path);
                Arena arena = Arena.ofShared()) {
            for (int read = 0; read < READS; read++) {
                long shift = 2L * random.nextInt(40); // Cache lines begin at any offset.
                long bytes = array.bytesOf(Selection.all());
                MemorySegment all = arena.allocate(bytes + shift + 64, 64).fill((byte) 0x5A);
                array.readAsync(Selection.all(), all.asSlice(shift, bytes)).join();
                assertEquals("", firstDifference(all.asSlice(shift, bytes), 0, SHAPE[0]));
                assertUntouched(all, shift, bytes);
            }
            readsMany(array, arena);
        }
    }

    private static void fill(long[] chunk, MemorySegment elements) {
        long at = 0;
        for (long z = 0; z < CHUNK[0]; z++) {
            for (long y = 0; y < CHUNK[1]; y++) {
                for (long x = 0; x < CHUNK[2]; x++) {
                    elements.setAtIndex(
                            JAVA_SHORT,
                            at++,
                            element(
                                    chunk[0] * CHUNK[0] + z,
                                    chunk[1] * CHUNK[1] + y,
                                    chunk[2] * CHUNK[2] + x));
                }
            }
        }
    }

    private static String firstDifference(MemorySegment elements, long fromZ, long toZ) {
        long at = 0;
        for (long z = fromZ; z < toZ; z++) {
            for (long y = 0; y < SHAPE[1]; y++) {
                for (long x = 0; x < SHAPE[2]; x++) {
                    if (elements.getAtIndex(JAVA_SHORT, at++) != element(z, y, x)) {
                        return z + ", " + y + ", " + x;
                    }
                }
            }
        }
        return "";
    }

    private static void assertUntouched(MemorySegment all, long from, long bytes) {
        for (long at = 0; at < all.byteSize(); at++) {
            if (at == from) {
                at += bytes;
            }
            assertEquals((byte) 0x5A, all.get(JAVA_BYTE, at));
        }
    }

    /** Several boxes in one read, whose chunks go to several places of one large target. */
    private static void readsMany(ZarrArray array, Arena arena) {
        List<Selection> planes = new ArrayList<>();
        for (long z = SHAPE[0] - 1; z >= 0; z--) {
            planes.add(Selection.of(z + ":" + (z + 1)));
        }
        long planeBytes = array.bytesOf(planes.getFirst());
        MemorySegment all = arena.allocate(planes.size() * planeBytes, 64);
        array.readAsync(planes, all).join();
        for (int i = 0; i < planes.size(); i++) {
            long z = SHAPE[0] - 1 - i;
            MemorySegment plane = all.asSlice(i * planeBytes, planeBytes);
            assertEquals("", firstDifference(plane, z, z + 1));
        }
    }
}
