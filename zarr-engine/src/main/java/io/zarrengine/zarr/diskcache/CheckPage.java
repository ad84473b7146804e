package io.zarrengine.zarr.diskcache;

import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A part of a file's table, as it was when it was read. Threads: any. */
final class CheckPage {
    /** For 16 MiB of the object. */
    static final int CHECKS = 4096;

    private final long number;
    private final int[] checks;

    private CheckPage(long number, int[] checks) {
        this.number = number;
        this.checks = checks;
    }

    static CheckPage read(ReadBackend backend, OpenEntry entry, long number) {
        long first = number * CHECKS;
        int[] checks = new int[(int) Math.min(CHECKS, entry.header().blocks() - first)];
        try {
            byte[] bytes =
                    backend.read(
                            entry.file(),
                            EntryHeader.checkAt(first),
                            checks.length * EntryHeader.CHECK_BYTES);
            ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asIntBuffer().get(checks);
        } catch (IOException _) {
            // The file ends before: nothing is kept.
        }
        return new CheckPage(number, checks);
    }

    long number() {
        return number;
    }

    /** {@return the check of a block of this page} */
    int check(long block) {
        return checks[(int) (block - number * CHECKS)];
    }
}
