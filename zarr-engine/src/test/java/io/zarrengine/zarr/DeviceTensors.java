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
        var failure =
                assertThrows(
                        CompletionException.class,
                        () -> array.readAsync(Selection.all(), Target.cuda(0)).join());
        var cause = assertInstanceOf(CorruptChunkException.class, failure.getCause());
        assertTrue(cause.getMessage().contains(file.toString()), cause::getMessage);
    }
}
