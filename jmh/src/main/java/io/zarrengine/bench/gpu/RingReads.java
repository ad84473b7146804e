package io.zarrengine.bench.gpu;

import io.zarrengine.bindings.ErrnoException;
import io.zarrengine.bindings.IoVector;
import io.zarrengine.bindings.LibC;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.cuda.PinnedRing.Slot;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/** By the pinned ring: threads read to slots, and the device's thread copies each as it is full. */
final class RingReads extends RangeReads {
    private static final int SLOTS_PER_THREAD = 4;

    /** A slot that holds a range. */
    private record Filled(Slot slot, long offset) {}

    private final Opened owned = new Opened();
    private final Queue<Filled> filled = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Filled> copying = new ArrayDeque<>();
    private final List<CudaEvent> copied = new ArrayList<>(); // by slot
    private final int descriptor;
    private final CudaStream stream;
    private final PinnedRing ring;
    private final DeviceSlice places;

    RingReads(CudaDevice device, RandomFile file, int threads, int rangeBytes, boolean isDirect)
            throws IOException {
        super(file, threads, rangeBytes, SLOTS_PER_THREAD * threads);
        int slots = offsets.length;
        descriptor = descriptor(file, isDirect);
        owned.add(() -> LibC.close(descriptor));
        try {
            stream = owned.add(CudaStream.open(device));
            ring = owned.add(PinnedRing.open(device, slots, rangeBytes));
            long bytes = (long) slots * rangeBytes;
            DeviceMemoryPool pool = owned.add(DeviceMemoryPool.open(device, bytes));
            Allocation memory = owned.add(pool.allocate(bytes, stream));
            places = memory.slice();
            for (int i = 0; i < slots; i++) {
                copied.add(owned.add(CudaEvent.open(device)));
            }
        } catch (Throwable t) { // Allowed: rolls back a constructor
            close();
            throw t;
        }
    }

    private static int descriptor(RandomFile file, boolean isDirect) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int flags = LibC.O_RDONLY_CLOEXEC | (isDirect ? LibC.O_DIRECT : 0);
            MemorySegment path = arena.allocateFrom(file.path().toString());
            int descriptor = LibC.open(LibC.newCallState(arena), path, flags);
            if (descriptor < 0) {
                throw new ErrnoException(
                        "open", file.path() + (isDirect ? ", O_DIRECT" : ""), descriptor);
            }
            return descriptor;
        }
    }

    @Override
    long read(int thread, SplittableRandom random, long end) throws IOException {
        long count = 0;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment callState = LibC.newCallState(arena);
            MemorySegment vector = arena.allocate(IoVector.LAYOUT);
            for (; System.nanoTime() < end && !hasFailed(); count++) {
                long offset = file.offset(random, rangeBytes);
                Slot slot = take();
                IoVector.set(vector, 0, slot.segment());
                long bytes = LibC.preadv(callState, descriptor, vector, 1, offset);
                if (bytes < 0) {
                    throw new ErrnoException("preadv", file.path() + " at " + offset, bytes);
                }
                if (bytes != rangeBytes) {
                    throw new EOFException(bytes + " bytes of " + file.path() + " at " + offset);
                }
                filled.add(new Filled(slot, offset));
            }
        }
        return count;
    }

    private Slot take() throws IOException {
        try {
            return ring.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException(e);
        }
    }

    @Override
    void serve(List<Thread> readers) throws IOException {
        boolean areReading = true;
        while (areReading || !copying.isEmpty()) {
            areReading =
                    readers.stream().anyMatch(Thread::isAlive); // Asked before: none is missed.
            copyFilled();
            releaseCopied();
        }
    }

    private void copyFilled() throws IOException {
        for (Filled next = filled.poll(); next != null; next = filled.poll()) {
            int place = next.slot().index();
            DeviceSlice target = places.slice((long) place * rangeBytes, rangeBytes);
            stream.copyToDevice(next.slot().segment(), target);
            copied.get(place).record(stream);
            offsets[place] = next.offset();
            copying.add(next);
        }
    }

    private void releaseCopied() throws IOException {
        while (!copying.isEmpty() && copied.get(copying.peek().slot().index()).isDone()) {
            copying.remove().slot().close();
        }
    }

    @Override
    DeviceSlice places() {
        return places;
    }

    @Override
    public void close() throws IOException {
        owned.close();
    }
}
