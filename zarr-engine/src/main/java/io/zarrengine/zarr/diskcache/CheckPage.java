package io.zarrengine.zarr.diskcache;

import io.zarrengine.uring.ReadBackend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A part of a file's table, as it was when it was read, and which of its blocks this process has
 * compared. Threads: any.
 */
final class CheckPage {
    /** For 16 MiB of the object. */
    static final int CHECKS = 4096;

    private final long number;
    private final int[] checks;
    private final AtomicLongArray intact = new AtomicLongArray(CHECKS / Long.SIZE);

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
        return checks[index(block)];
    }

    private int index(long block) {
        return (int) (block - number * CHECKS);
    }

    /** {@return whether the block was found intact} */
    boolean isIntact(long block) {
        int index = index(block);
        return (intact.get(index / Long.SIZE) & 1L << index) != 0;
    }

    /** Notes that a block has this check. */
    void setIntact(long block, int check) {
        int index = index(block);
        if (checks[index] == check) {
            intact.accumulateAndGet(index / Long.SIZE, 1L << index, (a, b) -> a | b);
        }
    }
}
