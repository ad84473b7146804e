package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.zarrengine.zarr.errors.CorruptChunkException;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;

/** What tests say of tensors. */
final class DeviceTensors {
    private DeviceTensors() {}

    /** It lies on the device, and holds these elements. */
    static void assertHolds(byte[] expected, DeviceTensor tensor) {
        assertTrue(tensor.hostReason().isEmpty(), () -> tensor.hostReason().orElse(""));
        try (HostTensor copy = tensor.toHost()) {
            assertArrayEquals(expected, copy.segment().toArray(JAVA_BYTE));
        }
    }

    /** All of an array is read to the device, and holds these elements. */
    static void assertReadsAll(ZarrArray array, byte[] expected) {
        try (DeviceTensor tensor = array.readAsync(Selection.all(), Target.cuda(0)).join()) {
            assertHolds(expected, tensor);
        }
    }

    /** A read of all of an array is refused, and the file is named that is corrupt. */
    static void assertIsCorrupt(ZarrArray array, Path file) {
        assertIsCorrupt(array, Selection.all(), file);
    }

    /** The same of a part of it. */
    static void assertIsCorrupt(ZarrArray array, Selection part, Path file) {
        Throwable cause = failure(array, part, Target.cuda(0));
        assertInstanceOf(CorruptChunkException.class, cause);
        assertTrue(cause.getMessage().contains(file.toString()), cause::getMessage);
    }

    /**
     * A read of all of an array to memory of a caller's is refused, with a message that ends so.
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
