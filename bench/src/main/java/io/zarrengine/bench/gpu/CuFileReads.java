package io.zarrengine.bench.gpu;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.GdsFile;
import io.zarrengine.cuda.GdsMemory;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;

/** Reads with cuFile: a thread reads one range after the other to its place. */
final class CuFileReads extends RangeReads {
    private final GdsFile source;
    private final GdsMemory memory;

    private CuFileReads(
            RandomFile file, int threads, int rangeBytes, GdsFile source, GdsMemory memory) {
        super(file, threads, rangeBytes, threads);
        this.source = source;
        this.memory = memory;
    }

    static CuFileReads open(CudaDevice device, RandomFile file, int threads, int rangeBytes)
            throws IOException {
        GdsFile source = GdsFile.open(file.path());
        try {
            GdsMemory memory = GdsMemory.allocate(device, (long) threads * rangeBytes);
            return new CuFileReads(file, threads, rangeBytes, source, memory);
        } catch (IOException e) {
            source.close();
            throw e;
        }
    }

    @Override
    long read(int thread, SplittableRandom random, long end) throws IOException {
        long count = 0;
        for (; System.nanoTime() < end && !hasFailed(); count++) {
            long offset = file.offset(random, rangeBytes);
            source.read(offset, memory, (long) thread * rangeBytes, rangeBytes);
            offsets[thread] = offset;
        }
        return count;
    }

    @Override
    void serve(List<Thread> readers) {}

    @Override
    DeviceSlice places() {
        return memory.slice();
    }

    boolean isRegistered() {
        return memory.refusal().isEmpty();
    }

    @Override
    public void close() {
        memory.close();
        source.close();
    }
}
