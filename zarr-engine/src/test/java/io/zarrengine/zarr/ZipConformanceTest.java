package io.zarrengine.zarr;

import java.nio.file.Path;
import java.util.List;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads the arrays of {@link ConformanceTest} out of zip files. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ZipConformanceTest {
    @TempDir Path folder;
    private ZarrEngine engine;

    @BeforeAll
    void open() {
        engine = ZarrEngine.open();
    }

    @AfterAll
    void close() {
        engine.close();
    }

    static List<Conformance.Case> good() {
        return Conformance.cases("good");
    }

    static List<Conformance.Case> bad() {
        return Conformance.cases("bad");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        ConformanceTest.assertReads(engine, c.zipped(folder, ZipEntry.DEFLATED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsChunksThatTheZipFileCompressed(Conformance.Case c) throws Exception {
        ConformanceTest.assertReads(engine, c.zipped(folder, ZipEntry.STORED, ZipEntry.DEFLATED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBrokenAndCompressed(Conformance.Case c) throws Exception {
        ConformanceTest.assertRefuses(
                engine, c.zipped(folder, ZipEntry.DEFLATED, ZipEntry.DEFLATED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        ConformanceTest.assertRefuses(engine, c.zipped(folder, ZipEntry.STORED));
    }
}
