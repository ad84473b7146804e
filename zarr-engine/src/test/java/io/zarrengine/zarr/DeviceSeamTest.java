package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.device.HostMemoryDevices;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.errors.ZarrException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Reads to devices without hardware. Fails if the engine needs more from a device than the seam
 * names, or breaks a promise of the seam.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(60)
final class DeviceSeamTest {
    private final HostMemoryDevices devices = new HostMemoryDevices();
    private final ZarrEngine engine = ZarrEngine.builder().deviceProvider(devices).open();

    @AfterAll
    void close() {
        engine.close();
        assertTrue(devices.isClosed());
        assertFalse(devices.isLent(), "memory was lent, and not given back");
    }

    static List<Conformance.Case> good() {
        return Conformance.cases("good");
    }

    static List<Conformance.Case> bad() {
        return Conformance.cases("bad");
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws IOException {
        try (ZarrArray array = engine.openArray(c.array())) {
            assumeFalse(
                    array.dataType() instanceof VariableLengthType,
                    "elements of variable length are read to the host");
            for (Conformance.Read read : c.reads()) {
                Npy expected = Npy.read(read.expected());
                try (DeviceTensor tensor =
                                array.readAsync(read.selection(), Target.cuda(0)).join();
                        HostTensor copy = tensor.toHost()) {
                    assertArrayEquals(expected.lengths(), tensor.shape());
                    byte[] actual = copy.segment().toArray(JAVA_BYTE);
                    assertEquals(expected.data(), ByteBuffer.wrap(actual), read::toString);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) {
        Throwable e =
                assertThrows(
                        Exception.class,
                        () -> {
                            try (ZarrArray array = engine.openArray(c.array())) {
                                array.readAsync(Selection.all(), Target.cuda(0)).join().close();
                            }
                        });
        assertInstanceOf(ZarrException.class, e instanceof CompletionException ? e.getCause() : e);
    }

    /** A read to the host loads nothing of a device. */
    @Test
    void opensNoDeviceBeforeAReadNeedsIt() {
        HostMemoryDevices unused = new HostMemoryDevices();
        try (ZarrEngine other = ZarrEngine.builder().deviceProvider(unused).open();
                ZarrArray array = other.openArray(good().getFirst().array())) {
            array.read(Selection.all()).close();
            assertEquals(0, other.deviceMetrics(0).chunks());
        }
        assertFalse(unused.isOpened());
    }

    @Test
    void addsTheDevicesCountersToTheEnginesMetrics() throws IOException {
        long before = engine.deviceMetrics(0).chunks();
        try (ZarrArray array = engine.openArray(good().getFirst().array())) {
            array.readAsync(Selection.all(), Target.cuda(0)).join().close();
        }
        assertTrue(engine.deviceMetrics(0).chunks() > before);
    }

    @Test
    void refusesAReadAfterTheEngineIsClosed() {
        ZarrEngine other = ZarrEngine.builder().deviceProvider(new HostMemoryDevices()).open();
        ZarrArray array = other.openArray(good().getFirst().array());
        other.close();
        assertThrows(ClosedException.class, () -> array.readAsync(Selection.all(), Target.cuda(0)));
    }

    /** The tests of this module have no provider on their path. */
    @Test
    void namesTheMissingProvider() {
        try (ZarrEngine other = ZarrEngine.open();
                ZarrArray array = other.openArray(good().getFirst().array())) {
            assumeFalse(ZarrEngine.deviceUnavailabilityCause().isEmpty(), "there is a provider");
            var refusal =
                    assertThrows(
                            DeviceUnavailableException.class,
                            () -> array.readAsync(Selection.all(), Target.cuda(0)));
            String cause = ZarrEngine.deviceUnavailabilityCause().orElseThrow();
            assertTrue(refusal.getMessage().contains(cause), refusal::getMessage);
        }
    }
}
