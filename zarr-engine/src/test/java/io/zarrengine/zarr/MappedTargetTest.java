package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.bindings.NativeLibrary;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Reads to a file that the caller has mapped. Native code must not access it, because a truncated
 * file would end the JVM with SIGBUS.
 */
final class MappedTargetTest {
    private static final int ELEMENTS = 100_000;

    @TempDir private Path folder;

    private ZarrArray array(ZarrEngine engine) {
        assumeTrue(NativeLibrary.LIBZSTD.isAvailable(), "nothing encodes");
        ArrayMetadata metadata =
                ArrayMetadata.builder(NumericType.UINT8, ELEMENTS)
                        .chunkShape(ELEMENTS)
                        .codecs(List.of(CodecSpec.bytes(), CodecSpec.zstd(1)))
                        .build();
        Path path = folder.resolve("array.zarr");
        engine.createArray(path, metadata)
                .writeAll((chunk, elements) -> {
                    for (int k = 0; k < ELEMENTS; k++) {
                        elements.set(JAVA_BYTE, k, (byte) (k / 3 * 7));
                    }
                });
        return engine.openArray(path);
    }

    private FileChannel file() throws IOException {
        return FileChannel.open(
                folder.resolve("target"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
    }

    @Test
    void readsToAMappedFile() throws IOException {
        try (ZarrEngine engine = ZarrEngine.open();
                Arena arena = Arena.ofShared();
                FileChannel file = file()) {
            ZarrArray array = array(engine);
            MemorySegment target = file.map(MapMode.READ_WRITE, 0, ELEMENTS, arena);
            array.read(Selection.of("..."), target);
            byte[] expected;
            try (HostTensor tensor = array.read(Selection.of("..."))) {
                expected = tensor.segment().toArray(JAVA_BYTE);
            }
            assertArrayEquals(expected, target.toArray(JAVA_BYTE));
        }
    }

    /** Native code that wrote there would end the JVM. */
    @Test
    void failsOnlyTheReadWhoseTargetFileIsTruncated() throws IOException {
        try (ZarrEngine engine = ZarrEngine.open();
                Arena arena = Arena.ofShared();
                FileChannel file = file()) {
            ZarrArray array = array(engine);
            MemorySegment target = file.map(MapMode.READ_WRITE, 0, ELEMENTS, arena);
            file.truncate(0);
            Throwable e =
                    assertThrows(Throwable.class, () -> array.read(Selection.of("..."), target));
            // HotSpot may report it at a later access.
            boolean isFault = e instanceof InternalError;
            assertTrue(isFault || e.getMessage().contains("target"), e::getMessage);
            try (HostTensor tensor = array.read(Selection.of("5"))) {
                assertArrayEquals(new byte[] {7}, tensor.segment().toArray(JAVA_BYTE));
            }
        }
    }
}
