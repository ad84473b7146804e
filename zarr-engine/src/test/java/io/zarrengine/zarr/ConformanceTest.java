package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.ZarrException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads what other implementations wrote, bit for bit, and refuses what they broke. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConformanceTest {
    /** Formats that are not read yet: each case must be refused, or this list is out of date. */
    private static final List<String> NOT_YET =
            List.of(
                    "v2-",
                    "v3-numcodecs-delta",
                    "v3-numcodecs-fixedscaleoffset",
                    "v3-numcodecs-packbits",
                    "v3-dtype-datetime64",
                    "v3-dtype-timedelta64",
                    "v3-dtype-fixed-utf32",
                    "v3-dtype-null-terminated-bytes",
                    "v3-dtype-string");

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
        return Conformance.cases("good").stream().filter(c -> !isNotYet(c)).toList();
    }

    static List<Conformance.Case> notYet() {
        return Conformance.cases("good").stream().filter(ConformanceTest::isNotYet).toList();
    }

    static List<Conformance.Case> bad() {
        return Conformance.cases("bad");
    }

    private static boolean isNotYet(Conformance.Case c) {
        return NOT_YET.stream().anyMatch(c.name()::startsWith);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("good")
    void readsExactly(Conformance.Case c) throws Exception {
        try (ZarrArray array = engine.openArray(c.array())) {
            for (Conformance.Read read : c.reads()) {
                Npy expected = Npy.read(read.expected());
                try (HostTensor tensor = array.read(read.selection())) {
                    assertArrayEquals(expected.lengths(), tensor.shape());
                    byte[] actual = tensor.segment().toArray(JAVA_BYTE);
                    assertEquals(expected.data(), ByteBuffer.wrap(actual), read::toString);
                }
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("notYet")
    void refusesWhatItDoesNotReadYet(Conformance.Case c) {
        ZarrException e = assertThrows(ZarrException.class, () -> engine.openArray(c.array()));
        assertTrue(e instanceof FormatException || e instanceof NodeNotFoundException, e::toString);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bad")
    void refusesWhatIsBroken(Conformance.Case c) {
        ZarrException e =
                assertThrows(
                        ZarrException.class,
                        () -> {
                            try (ZarrArray array = engine.openArray(c.array())) {
                                array.read(Selection.all()).close();
                            }
                        });
        assertTrue(e.getMessage().contains(c.folder().getFileName().toString()), e::getMessage);
    }
}
