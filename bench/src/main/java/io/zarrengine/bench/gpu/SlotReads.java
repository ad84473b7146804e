package io.zarrengine.bench.gpu;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.cuda.PinnedSlots.Slot;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Reads by pinned slots: threads read to them, and the device's thread copies each full slot. */
final class SlotReads extends RangeReads {
    private static final int SLOTS_PER_THREAD = 4;

    /** A slot that holds a range. */
    private record Filled(Slot slot, long offset) {}

    private final CloseStack owned = new CloseStack();
    private final Queue<Filled> filled = new ConcurrentLinkedQueue<>();
    private final ArrayDeque<Filled> copying = new ArrayDeque<>();
    private final List<CudaEvent> copied = new ArrayList<>(); // by slot
    private final PreadFile source;
    private final CudaStream stream;
    private final PinnedSlots pinned;
    private final DeviceSlice places;

    SlotReads(CudaDevice device, RandomFile file, int threads, int rangeBytes, boolean isDirect)
            throws IOException {
        super(file, threads, rangeBytes, SLOTS_PER_THREAD * threads);
        int slots = offsets.length;
        source = owned.add(PreadFile.open(file.path(), isDirect));
        try {
            stream = owned.add(CudaStream.open(device));
            pinned = owned.add(PinnedSlots.open(device, slots, rangeBytes));
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

    @Override
    long read(int thread, SplittableRandom random, long end) throws IOException {
        long count = 0;
        try (PreadFile.Reader reader = new PreadFile.Reader()) {
            for (; System.nanoTime() < end && !hasFailed(); count++) {
                long offset = file.offset(random, rangeBytes);
                Slot slot = pinned.take();
                long bytes = reader.read(source, slot.segment(), offset);
                if (bytes != rangeBytes) {
                    throw new EOFException(bytes + " bytes of " + file.path() + " at " + offset);
                }
                filled.add(new Filled(slot, offset));
            }
        }
        return count;
    }

    @Override
    void serve(List<Thread> readers) throws IOException {
        boolean areReading = true;
        while (areReading || !copying.isEmpty()) {
            // Checked before polling, so that none is missed.
            areReading = readers.stream().anyMatch(Thread::isAlive);
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
