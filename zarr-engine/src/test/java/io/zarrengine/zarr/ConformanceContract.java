package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.metadata.JsonText;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;

/** Reads arrays of other implementations bit for bit, and refuses the broken ones. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class ConformanceContract {
    ZarrEngine engine;

    /** {@return the engine of the tests} */
    ZarrEngine newEngine() {
        return ZarrEngine.open();
    }

    @BeforeAll
    final void openEngine() {
        engine = newEngine();
    }

    @AfterAll
    final void closeEngine() {
        engine.close();
    }

    static List<Conformance.Case> good() {
        return Conformance.cases("good");
    }

    static List<Conformance.Case> bad() {
        return Conformance.cases("bad");
    }

    final void assertReads(Conformance.Case c) throws Exception {
        assertReads(() -> engine.openArray(c.array()), c);
    }

    static void assertReads(Supplier<ZarrArray> open, Conformance.Case c) throws Exception {
        try (ZarrArray array = open.get()) {
            for (Conformance.Read read : c.reads()) {
                if (array.dataType() instanceof VariableLengthType) {
                    assertReadsStrings(array, read);
                } else {
                    assertReads(array, read);
                }
            }
        }
    }

    private static void assertReads(ZarrArray array, Conformance.Read read) throws Exception {
        Npy expected = Npy.read(read.expected());
        try (HostTensor tensor = array.read(read.selection())) {
            assertArrayEquals(expected.lengths(), tensor.shape());
            byte[] actual = tensor.segment().toArray(JAVA_BYTE);
            assertEquals(expected.data(), ByteBuffer.wrap(actual), read::toString);
        }
    }

    private static void assertReadsStrings(ZarrArray array, Conformance.Read read) {
        Object expected = JsonText.read(read.expected());
        try (VariableLengthTensor tensor = array.readVariableLength(read.selection())) {
            assertEquals(expected, tensor.strings(), read::toString);
        }
    }

    final void assertRefuses(Conformance.Case c) {
        assertRefuses(() -> engine.openArray(c.array()), c.folder().getFileName().toString());
    }

    /** {@code place}: what the message has to name. */
    static void assertRefuses(Supplier<ZarrArray> open, String place) {
        ZarrException e =
                assertThrows(
                        ZarrException.class,
                        () -> {
                            try (ZarrArray array = open.get()) {
                                array.read(Selection.all()).close();
                            }
                        });
        assertTrue(e.getMessage().contains(place), e::getMessage);
    }
}
