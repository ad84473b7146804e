package io.zarrengine.bench.gpu;

import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Pinned memory into which threads read a drive, and from which a GPU copies each read when it
 * ends. The bytes are not used. Every path from a drive to a GPU through the host needs both steps.
 */
final class DriveCopies implements DriveReads.Destination, AutoCloseable {
    private static final long NAP_NANOS = 50_000;

    private record Filled(PinnedSlots.Slot slot, long bytes) {}

    private final CloseStack owned = new CloseStack();
    private final CudaDevice device;
    private final PinnedSlots.Slot[] reading; // by thread
    private final Queue<Filled> filled = new ConcurrentLinkedQueue<>();
    private final Deque<Filled> copying = new ArrayDeque<>();
    private final List<CudaEvent> copied = new ArrayList<>(); // by slot
    private PinnedSlots pinned; // this and the rest: used by the device's thread
    private CudaStream stream;
    private DeviceSlice target;

    private DriveCopies(int threads) throws IOException {
        reading = new PinnedSlots.Slot[threads];
        device = CudaDevice.open(0);
    }

    /** Opens the memory. {@code readBytes} is the size of a read, in whole pages. */
    static DriveCopies open(int threads, int readBytes) throws IOException {
        DriveCopies copies = new DriveCopies(threads);
        try {
            copies.onDevice(() -> copies.openOnDevice(2 * threads, readBytes));
            return copies;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            copies.close();
            throw t;
        }
    }

    /** A task that fails as CUDA calls do. */
    private interface Work {
        void run() throws IOException;
    }

    private void onDevice(Work work) throws IOException {
        device.thread()
                .call(() -> {
                    work.run();
                    return null;
                });
    }

    private void openOnDevice(int slots, int readBytes) throws IOException {
        stream = owned.add(CudaStream.open(device));
        pinned = owned.add(PinnedSlots.open(device, slots, readBytes));
        long bytes = (long) slots * readBytes;
        DeviceMemoryPool pool = owned.add(DeviceMemoryPool.open(device, bytes));
        target = owned.add(pool.allocate(bytes, stream)).slice();
        for (int i = 0; i < slots; i++) {
            copied.add(owned.add(CudaEvent.open(device)));
        }
    }

    @Override
    public MemorySegment next(int thread) {
        reading[thread] = pinned.take();
        return reading[thread].segment();
    }

    @Override
    public void arrived(int thread, long bytes) {
        filled.add(new Filled(reading[thread], bytes));
    }

    @Override
    public void workBeside(List<Thread> readers) throws IOException {
        onDevice(() -> {
            try {
                copyAll(readers);
            } catch (IOException | RuntimeException e) {
                freeAll(readers); // The readers wait for slots.
                throw e;
            }
        });
    }

    private void copyAll(List<Thread> readers) throws IOException {
        boolean mayCome = true;
        while (mayCome || !copying.isEmpty()) {
            mayCome = isAnyAlive(readers);
            if (!copyFilled() && !freeCopied()) {
                LockSupport.parkNanos(NAP_NANOS);
            }
        }
    }

    private void freeAll(List<Thread> readers) {
        copying.forEach(copy -> copy.slot().close());
        copying.clear();
        boolean mayCome = true;
        while (mayCome) {
            mayCome = isAnyAlive(readers);
            for (Filled next = filled.poll(); next != null; next = filled.poll()) {
                next.slot().close();
            }
            LockSupport.parkNanos(NAP_NANOS);
        }
    }

    private static boolean isAnyAlive(List<Thread> readers) {
        return readers.stream().anyMatch(Thread::isAlive);
    }

    private boolean copyFilled() throws IOException {
        Filled next = filled.poll();
        if (next == null) {
            return false;
        }
        PinnedSlots.Slot slot = next.slot();
        if (next.bytes() == 0) {
            slot.close();
            return true;
        }
        DeviceSlice to = target.slice(slot.index() * slot.segment().byteSize(), next.bytes());
        copying.add(next);
        stream.copyToDevice(slot.segment().asSlice(0, next.bytes()), to);
        copied.get(slot.index()).record(stream);
        return true;
    }

    private boolean freeCopied() throws IOException {
        Filled oldest = copying.peek();
        if (oldest == null || !copied.get(oldest.slot().index()).isDone()) {
            return false;
        }
        copying.remove().slot().close();
        return true;
    }

    @Override
    public void close() throws IOException {
        try (device) {
            onDevice(owned::close);
        }
    }
}
