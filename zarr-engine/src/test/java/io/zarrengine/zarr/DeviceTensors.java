package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
}
