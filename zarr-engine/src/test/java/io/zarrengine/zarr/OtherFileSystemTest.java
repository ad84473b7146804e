package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.CodecSpec;
import io.zarrengine.zarr.metadata.GroupMetadata;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Paths inside an archive. The kernel would read other files with the same names. */
final class OtherFileSystemTest {
    private static final ArrayMetadata METADATA =
            ArrayMetadata.builder(NumericType.UINT8, 6)
                    .chunkShape(4)
                    .codecs(List.of(CodecSpec.bytes()))
                    .build();

    @TempDir private Path folder;
    private FileSystem archive;

    @BeforeEach
    void open() throws IOException {
        archive = FileSystems.newFileSystem(folder.resolve("a.zip"), Map.of("create", "true"));
    }

    @AfterEach
    void close() throws IOException {
        archive.close();
    }

    @Test
    void areRefusedWithIoUring() {
        Path path = archive.getPath("/array");
        try (ZarrEngine engine = ZarrEngine.open()) {
            assumeTrue(engine.io() != ZarrEngine.Io.CHANNEL);
            for (Runnable use :
                    List.<Runnable>of(
                            () -> engine.open(path),
                            () -> engine.createArray(path, METADATA),
                            () -> engine.createGroup(path, new GroupMetadata(Map.of())))) {
                var e = assertThrows(IllegalArgumentException.class, use::run);
                assertTrue(e.getMessage().contains(".zip!/array"), e::getMessage);
                assertTrue(e.getMessage().contains("another file system"), e::getMessage);
            }
        }
        assertFalse(Files.exists(path), "nothing was made");
    }

    @Test
    void areReadWithChannels() {
        Path path = archive.getPath("/array");
        try (ZarrEngine engine = ZarrEngine.builder().io(ZarrEngine.Io.CHANNEL).open()) {
            SampleArray sample = SampleArray.write(engine, path, METADATA);
            try (ZarrArray array = engine.openArray(path);
                    HostTensor tensor = array.read(Selection.all())) {
                assertArrayEquals(sample.all(), tensor.segment().toArray(JAVA_BYTE));
            }
        }
    }
}
