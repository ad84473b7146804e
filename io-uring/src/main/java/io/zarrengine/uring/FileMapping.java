package io.zarrengine.uring;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.MappedRegion;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/**
 * All of a file, mapped, and which windows of it were seen in memory of late. To ask for each read
 * took 10 to 20 % of the time of reading; what leaves memory right after it was seen there costs
 * who touches it a page fault.
 *
 * <p>Owner: the open file. Threads: any.
 */
final class FileMapping implements AutoCloseable {
    /** What is asked for at once, and remembered. */
    static final long WINDOW_BYTES = 256 << 10;

    private static final int FRESH_MILLIS = 100;

    private final MappedRegion region;
    private final int[] seenMillis; // of each window; a lost write is another question asked

    private FileMapping(MappedRegion region) {
        this.region = region;
        long windows = Math.ceilDiv(region.segment().byteSize(), WINDOW_BYTES);
        this.seenMillis = new int[Math.toIntExact(windows)];
        Arrays.fill(seenMillis, millis() - FRESH_MILLIS - 1);
    }

    static FileMapping open(int descriptor, long byteSize) throws ErrnoException {
        return new FileMapping(MappedRegion.ofFile(descriptor, byteSize));
    }

    /** {@return the file; see {@link MappedRegion#ofFile} for what may be done with it} */
    MemorySegment segment() {
        return region.segment();
    }

    /** {@return a moment for the other methods} */
    static int millis() {
        return (int) (System.nanoTime() / 1_000_000);
    }

    boolean wasSeen(int window, int nowMillis) {
        return nowMillis - seenMillis[window] <= FRESH_MILLIS;
    }

    void see(int window, int nowMillis) {
        seenMillis[window] = nowMillis;
    }

    @Override
    public void close() {
        region.close();
    }
}
