package io.zarrengine.zarr;

import java.nio.file.Path;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the conformance cases with zip files, in which a chunk begins at any offset of a large file.
 */
final class DeviceZipConformanceTest extends DeviceMappedConformanceTest {
    @TempDir Path folder;

    @Override
    Conformance.Case stored(Conformance.Case c) throws Exception {
        return c.zipped(folder, ZipEntry.STORED);
    }
}
