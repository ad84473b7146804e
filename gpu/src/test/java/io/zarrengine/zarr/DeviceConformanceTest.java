package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads arrays of other implementations to a GPU, and refuses broken ones. */
@NeedsDevice
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DeviceConformanceTest {
    ZarrEngine engine;

    @BeforeAll
    void open() throws IOException {
        engine = open(DeviceEngines.SMALL);
    }

    ZarrEngine open(DeviceOptions options) throws IOException {
        return DeviceEngines.open(options);
    }

    /** Returns the case in the form in which this test reads it. */
    Conformance.Case stored(Conformance.Case c) throws Exception {
        return c;
    }

    /** Opens the array of a case. */
    ZarrArray array(Conformance.Case c) throws Exception {
        return engine.openArray(stored(c).array());
    }

    /** Returns what a message about a case names. */
    String name(Conformance.Case c) {
        return c.folder().getFileName().toString();
    }

    @AfterAll
    void close() {
        try {
            assertTrue(engine.deviceMetrics(0).chunksDecoded() > 0);
        } finally {
            engine.close();
        }
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
        try (ZarrArray array = array(c)) {
            assumeFalse(
                    array.dataType() instanceof VariableLengthType,
                    "elements of variable length are read to the host");
            for (Conformance.Read read : c.reads()) {
                Npy expected = Npy.read(read.expected());
                try (DeviceTensor tensor =
                                array.readAsync(read.selection(), Target.cuda(0)).join();
                        HostTensor copy = tensor.toHost()) {
                    assertTrue(tensor.hostReason().isEmpty());
                    assertArrayEquals(expected.lengths(), tensor.shape());
                    byte[] actual = copy.segment().toArray(JAVA_BYTE);
                    assertEquals(expected.data(), ByteBuffer.wrap(actual), read::toString);
                }
            }
        }
    }

    /** The device still works: the next read is right. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) throws Exception {
        Throwable e =
                assertThrows(
                        Exception.class,
                        () -> {
                            try (ZarrArray array = array(c)) {
                                array.readAsync(Selection.all(), Target.cuda(0)).join().close();
                            }
                        });
        Throwable cause = e instanceof CompletionException ? e.getCause() : e;
        assertInstanceOf(ZarrException.class, cause);
        assertTrue(cause.getMessage().contains(name(c)), cause::getMessage);
        readsExactly(good().getFirst());
    }
}
