package io.zarrengine.zarr;

import java.nio.file.Path;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.io.TempDir;

/** The same from zip files: a chunk begins anywhere in a file that holds many. */
final class DeviceZipConformanceTest extends DeviceMappedConformanceTest {
    @TempDir Path folder;

    @Override
    Conformance.Case stored(Conformance.Case c) throws Exception {
        return c.zipped(folder, ZipEntry.STORED);
    }
}
