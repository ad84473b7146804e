package io.zarrengine.nvcomp;

import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

/** Two zstd batches at a time may disturb each other: a device has one stream for them. */
final class ZstdStreamTest {
    private static final int DEVICE = 77;

    @Test
    void aSecondStreamIsRefusedUntilTheFirstIsDone() {
        Object first = new Object();
        Object second = new Object();
        ZstdStream.claim(DEVICE, first);
        ZstdStream.claim(DEVICE, first);
        assertThrows(IllegalStateException.class, () -> ZstdStream.claim(DEVICE, second));
        ZstdStream.claim(DEVICE + 1, second);
        ZstdStream.release(DEVICE + 1);
        ZstdStream.release(DEVICE);
        assertThrows(IllegalStateException.class, () -> ZstdStream.claim(DEVICE, second));
        ZstdStream.release(DEVICE);
        ZstdStream.claim(DEVICE, second);
        ZstdStream.release(DEVICE);
    }
}
