package io.zarrengine.zarr;

import java.nio.file.Path;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the arrays of {@link ConformanceTest} out of zip files. */
final class ZipConformanceTest extends ConformanceContract {
    @TempDir Path folder;

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        assertReads(c.zipped(folder, ZipEntry.DEFLATED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsChunksThatTheZipFileCompressed(Conformance.Case c) throws Exception {
        assertReads(c.zipped(folder, ZipEntry.STORED, ZipEntry.DEFLATED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBrokenAndCompressed(Conformance.Case c) throws Exception {
        assertRefuses(c.zipped(folder, ZipEntry.DEFLATED, ZipEntry.DEFLATED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        assertRefuses(c.zipped(folder, ZipEntry.STORED));
    }
}
