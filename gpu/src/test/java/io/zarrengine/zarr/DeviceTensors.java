package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CorruptChunkException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;

/** Assertions about tensors. */
final class DeviceTensors {
    private DeviceTensors() {}

    /** Asserts that a tensor lies on the device and has these elements. */
    static void assertHolds(byte[] expected, DeviceTensor tensor) {
        assertTrue(tensor.hostReason().isEmpty(), () -> tensor.hostReason().orElse(""));
        try (HostTensor copy = tensor.toHost()) {
            assertArrayEquals(expected, copy.segment().toArray(JAVA_BYTE));
        }
    }

    /** Asserts that a read of a whole array to the device gives these elements. */
    static void assertReadsAll(ZarrArray array, byte[] expected) {
        try (DeviceTensor tensor = array.readAsync(Selection.all(), Target.cuda(0)).join()) {
            assertHolds(expected, tensor);
        }
    }

    /** Asserts that a read of a whole array fails with a message that names the corrupt file. */
    static void assertIsCorrupt(ZarrArray array, Path file) {
        assertIsCorrupt(array, Selection.all(), file);
    }

    /** Asserts the same of a part of an array. */
    static void assertIsCorrupt(ZarrArray array, Selection part, Path file) {
        Throwable cause = failure(array, part, Target.cuda(0));
        assertInstanceOf(CorruptChunkException.class, cause);
        assertTrue(cause.getMessage().contains(file.toString()), cause::getMessage);
    }

    /**
     * Asserts that a read of a whole array to the caller's memory is refused with this end of the
     * message.
     */
    static void assertRefuses(ZarrArray array, Target target, String ending) {
        Throwable cause = failure(array, Selection.all(), target);
        assertInstanceOf(IllegalArgumentException.class, cause);
        assertTrue(cause.getMessage().endsWith(ending), cause::getMessage);
    }

    private static Throwable failure(ZarrArray array, Selection part, Target target) {
        return assertThrows(CompletionException.class, () -> array.readAsync(part, target).join())
                .getCause();
    }
}
