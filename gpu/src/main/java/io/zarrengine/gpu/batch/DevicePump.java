package io.zarrengine.gpu.batch;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaError;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedSlots;
import io.zarrengine.gpu.chunk.SlotAddresses;
import io.zarrengine.gpu.file.FileRegistry;
import io.zarrengine.gpu.slot.FillCopies;
import io.zarrengine.gpu.slot.SlotCopies;
import io.zarrengine.gpu.slot.SlotFill;
import io.zarrengine.gpu.slot.WorkerSlotPool;
import io.zarrengine.gpu.transform.TransformLaunch;
import io.zarrengine.gpu.transform.TransformQueue;
import io.zarrengine.gpu.tuning.ChunksAhead;
import io.zarrengine.gpu.tuning.DecodeCosts;
import io.zarrengine.gpu.tuning.Workload;
import io.zarrengine.zarr.device.DeviceCounters;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * The loop of the device thread. It copies slots as they are filled, launches batches, and detects
 * finished work. It polls and never blocks: while one batch is decoded, slots of the next are
 * copied.
 *
 * <p>After a device failure the loop sends no more work to the device: reads fail, their chunks are
 * dropped, and slots are given back. A device that does not answer is not polled again, because
 * calls that wait would never return. Memory that it may still use is abandoned, not freed.
 *
 * <p>Owner: the executor. Threads: the device's.
 */
public final class DevicePump implements DeviceCommands {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** The longest time a worker may fill a slot. The slot may hold the last chunks of a read. */
    private static final long SLOT_NANOS = 3_000_000;

    private static final long POLL_NANOS = 50_000;

    /** Bytes that take the link longer (0.3 ms) than the device thread naps. */
    private static final long BYTES_AHEAD = 16 << 20;

    /** The length of a nap while the device has enough work. Waking up takes 10 us. */
    private static final long NAP_NANOS = 150_000;

    /**
     * The time without progress for which the thread yields before it sleeps. Slots with data from
     * the page cache come sooner. When none comes, a free core is worth more than a delay of 50 us.
     */
    private static final long YIELD_NANOS = 100_000;

    /** Longer than the host takes to decode a chunk of 64 KiB from the page cache. */
    private static final long AWAKE_NANOS = 200_000;

    /**
     * The source of a device's work.
     *
     * @param work reads and commands
     * @param slots the slots that workers fill
     * @param workload the amount of work that is still to come
     * @param smallReads whether the host is decoding a small read, which is copied as soon as it is
     *     decoded
     */
    public record Input(
            DeviceWork work, WorkerSlotPool slots, Workload workload, BooleanSupplier smallReads) {}

    private final Input input;
    private final DeviceCounters counters;
    private final ThreadWaker waker;
    private final CudaDevice device;
    private final GpuMemory memory;
    private final ChunkRescue rescue;
    private final FillCopies copying;
    private final BatchQueue batches;
    private final SlotCopies copyingBack;
    private final SlotCopies copyingIn;
    private final TransformQueue transforms;
    private final CallersStreams callers;
    private final CallersFrees frees;
    private SlotFill waiting; // taken from the queue, but no batch has room yet
    private DeviceLostException lost;
    private boolean isHung;
    private boolean hasAnswered;
    private final HangDetector hangs = new HangDetector();

    /**
     * Creates the loop; {@link #run} runs it.
     *
     * @param input the source of work
     * @param costs receives measured decode times
     * @param ahead is notified when the device begins its next batch
     * @param verifiesChecksums whether the host compares checksums of the chunks it decodes instead
     */
    public DevicePump(
            CudaDevice device,
            GpuMemory memory,
            Input input,
            DecodeCosts costs,
            ChunksAhead ahead,
            DeviceCounters counters,
            boolean verifiesChecksums) {
        this.input = input;
        this.counters = counters;
        this.waker = input.work.waker();
        this.device = device;
        this.memory = memory;
        copying = new FillCopies(memory.slotEvents);
        batches = new BatchQueue(device, memory, copying, input.workload, costs, ahead, counters);
        rescue = new ChunkRescue(memory, this::await, verifiesChecksums);
        copyingBack = new SlotCopies(memory.back, memory.slotEvents);
        // In the stream in which targets are allocated: their memory may have had another user
        // before.
        copyingIn = new SlotCopies(memory.work, memory.slotEvents);
        transforms = new TransformQueue(device, memory.work, memory.kernels);
        callers = new CallersStreams(device);
        frees = new CallersFrees(device, memory.frees);
    }

    /** Works until the device is closed and no work is left. */
    public Void run() {
        waker.attach();
        boolean works = true;
        while (!input.work.mayEnd() || !frees.isEmpty()) {
            if (works && input.work.hasEnded()) {
                works = false;
                endWork();
            }
            boolean moved;
            try {
                moved = input.work.runCommands(this);
                if (!works && !callers.isEmpty()) {
                    callers.fail(ClosedException.ofEngine()); // no read begins any more
                }
                moved |= lost != null ? drop() : works ? step() : releaseCopied();
                notePoll(hasAnswered || !isDeviceBusy());
                hasAnswered = false;
            } catch (IOException | RuntimeException | Error e) {
                lose(e);
                moved = true;
            }
            rest(moved);
        }
        rescue.close();
        drop();
        if (!isHung) {
            callers.close();
            frees.close();
            memory.close();
        }
        device.close();
        return null;
    }

    /** Ends the work. Uses no stream of a caller afterwards, except those that still capture. */
    private void endWork() {
        drop();
        try {
            frees.freeKept();
        } catch (CudaException e) {
            lose(e);
        }
        if (!isHung) {
            transforms.close();
            memory.closeWorking();
        }
        input.work.end();
    }

    /** Gives up a device that does not answer. */
    private void notePoll(boolean answered) throws IOException {
        try {
            hangs.polled(answered || (lost == null && frees.isFreeing()));
        } catch (DeviceHungException e) {
            isHung = true;
            device.giveUp();
            throw e;
        }
    }

    /** Waits until a stream has done its work; gives up if the device hangs. */
    private void await(CudaStream stream) throws IOException {
        memory.awaited.record(stream);
        notePoll(true);
        while (!memory.awaited.isDone()) {
            notePoll(false);
            Thread.onSpinWait();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Measured: docs/decisions/gpu-thread-yields.md.
    private void rest(boolean moved) {
        if (moved) {
            batches.moved();
        } else if (input.workload.hasProducers()) {
            // Workers need all cores. A thread that spins beside them sometimes loses its own core
            // for milliseconds, or takes one of theirs. A thread that sleeps is late, unless the
            // device has enough work.
            if ((waiting != null && batches.isFull()) || copying.bytesAhead() >= BYTES_AHEAD) {
                waker.nap(isResultAwaited() ? POLL_NANOS : NAP_NANOS);
            } else if (System.nanoTime() - batches.lastMoveNanos() < YIELD_NANOS) {
                Thread.yield();
            } else { // workers are waiting for a drive
                LockSupport.parkNanos(POLL_NANOS);
            }
        } else if (isDeviceBusy() || isCopyExpected()) {
            Thread.onSpinWait();
        } else if (input.work.hasReads() || !callers.isEmpty() || !frees.isEmpty()) {
            LockSupport.parkNanos(POLL_NANOS);
        } else {
            boolean isToLook = memory.files.isInUse(); // looks for unused files
            LockSupport.parkNanos(isToLook ? FileRegistry.LOOK_NANOS : Long.MAX_VALUE);
            batches.moved();
        }
    }

    private boolean isDeviceBusy() {
        return !(batches.isIdle() && copying.isEmpty() && !isResultAwaited());
    }

    /** Returns whether a caller waits for a copy or a transform, outside the batches. */
    private boolean isResultAwaited() {
        return !(copyingBack.isEmpty() && copyingIn.isEmpty() && transforms.isEmpty());
    }

    /**
     * Returns whether the host is decoding a small read. Waking up would take longer than its copy.
     */
    private boolean isCopyExpected() {
        return input.smallReads.getAsBoolean()
                && System.nanoTime() - batches.lastMoveNanos() < AWAKE_NANOS;
    }

    private boolean step() throws IOException {
        boolean moved = releaseCopied();
        moved |= finishLaunched();
        boolean mayBegin = !memory.files.hasToEnd();
        boolean isHandedOver =
                !input.workload.hasProducers(); // read before the workers' slots are checked
        moved |= mayBegin && copySealed(isHandedOver);
        moved |= mayBegin && batches.launchIfDue(isHandedOver, isAwaited());
        moved |= memory.files.step(!isDeviceBusy());
        return moved;
    }

    private boolean releaseCopied() throws CudaException {
        boolean moved = copying.release();
        moved |= copyingBack.complete();
        moved |= copyingIn.complete();
        moved |= transforms.complete();
        hasAnswered |= moved;
        moved |= callers.complete(); // no answer: the work is the callers'
        moved |= frees.freeKept();
        return moved;
    }

    private boolean finishLaunched() throws IOException {
        boolean moved = batches.finish(rescue);
        hasAnswered |= moved;
        return moved;
    }

    /** Copies the full slots, and the slots that workers have begun if there is nothing else. */
    private boolean copySealed(boolean isHandedOver) throws IOException {
        boolean moved = copyAll();
        boolean isDue = isHandedOver || isAwaited() || batches.takesBegunSlots();
        if (waiting == null && input.slots.steal(isDue ? 0 : SLOT_NANOS)) {
            copyAll();
            moved = true;
        }
        return moved;
    }

    private boolean copyAll() throws IOException {
        boolean moved = false;
        while (true) {
            waiting = waiting == null ? input.slots.nextSealed() : waiting;
            if (waiting == null || !batches.tryOpen()) {
                return moved;
            }
            long begin = System.nanoTime();
            SlotAddresses places = batches.tryAdd(waiting);
            long describeNanos = System.nanoTime() - begin;
            if (places == null) {
                batches.launch();
            } else {
                SlotFill fill = waiting;
                waiting = null; // its chunks belong to the batch from now on
                copy(fill, places, describeNanos);
                batches.launchIfFirst();
            }
            moved = true;
        }
    }

    private void copy(SlotFill fill, SlotAddresses places, long describeNanos)
            throws CudaException {
        fill.batched();
        MemorySegment content = fill.content();
        long ofFiles = fill.files().byteSize();
        boolean isEmpty = content.byteSize() + ofFiles == 0; // fills, or already on the device
        if (isEmpty) {
            fill.copied();
        } else {
            copying.add(fill); // before the calls: it must be given back even if a call fails
        }
        batches.openTimes().copy(memory.copies, content.byteSize() + ofFiles, describeNanos);
        if (content.byteSize() > 0) {
            counters.copied(content.byteSize());
            memory.copies.copyToDevice(
                    content, new DeviceSlice(places.slotAddress(), content.byteSize()));
        }
        if (ofFiles > 0) {
            long asRead = fill.files().lentBytes();
            counters.copiedAsRead(asRead);
            counters.copiedFromFiles(fill.files().copiedBytes() - asRead);
            DeviceSlice target = new DeviceSlice(places.filesAddress(), ofFiles);
            fill.files().queue(memory.fileCopies, memory.copies, target);
        }
        if (!isEmpty) {
            memory.slotEvents.get(fill.slot().index()).record(memory.copies);
        }
    }

    /** Returns whether workers wait for memory that only a finished batch gives back. */
    private boolean isAwaited() {
        return memory.directSlots != null && memory.directSlots.areScarce();
    }

    @Override
    public Allocation allocate(long bytes) throws IOException {
        if (lost != null) {
            throw lost;
        }
        try {
            return memory.pool.allocate(bytes, memory.work);
        } catch (CudaException e) {
            lose(e);
            throw lost;
        }
    }

    @Override
    public void free(Allocation allocation, Collection<Long> streams) {
        if (streams.isEmpty() || lost != null) {
            allocation.close();
            return;
        }
        try {
            frees.free(allocation, streams);
        } catch (CudaException e) {
            lose(e);
        }
    }

    @Override
    public void awaitStream(long stream, boolean waitsForCapture, CompletableFuture<Void> passed) {
        if (lost != null) {
            passed.completeExceptionally(lost);
            return;
        }
        try {
            callers.await(stream, waitsForCapture, passed);
        } catch (CudaException e) {
            if (device.loss().isPresent()) {
                lose(e);
                passed.completeExceptionally(lost);
            } else {
                passed.completeExceptionally(new IllegalArgumentException(e.getMessage(), e));
            }
        }
    }

    @Override
    public void requireAllocated(DeviceSlice target) throws DeviceLostException {
        if (lost != null) {
            throw lost;
        }
        try {
            device.requireAllocated(target);
        } catch (CudaException e) {
            if (e.error() == CudaError.INVALID_VALUE) { // the driver does not know the address
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            lose(e);
            throw lost;
        }
    }

    @Override
    public void copyBack(DeviceSlice source, PinnedSlots.Slot slot, CompletableFuture<Void> done) {
        copy(copyingBack, slot, done, back -> back.copyToHost(source, slot.segment()));
    }

    @Override
    public void copyIn(
            PinnedSlots.Slot slot,
            MemorySegment content,
            DeviceSlice target,
            CompletableFuture<Void> done) {
        counters.copied(content.byteSize());
        copy(copyingIn, slot, done, work -> work.copyToDevice(content, target));
    }

    @Override
    public void transform(
            List<TransformLaunch> launches, DeviceSlice target, CompletableFuture<Void> done) {
        if (lost != null) {
            done.completeExceptionally(lost);
            return;
        }
        try {
            transforms.launch(launches, target, done);
        } catch (CudaException | RuntimeException | Error e) {
            lose(e);
            done.completeExceptionally(lost); // It may not be in the queue yet.
        }
    }

    private void copy(
            SlotCopies copies,
            PinnedSlots.Slot slot,
            CompletableFuture<Void> done,
            SlotCopies.Copy copy) {
        if (lost != null) {
            done.completeExceptionally(lost);
            return;
        }
        try {
            copies.queue(slot, done, copy);
        } catch (CudaException e) {
            lose(e);
            done.completeExceptionally(lost);
        }
    }

    /** Takes the device out of service. */
    private void lose(Throwable cause) {
        if (lost == null) {
            lost = new DeviceLostException("cuda:" + device.ordinal(), cause);
            LOGGER.log(System.Logger.Level.WARNING, lost.getMessage());
            input.work.lose(lost);
        }
        if (!isHung) {
            try { // a device that still works may still write to its targets
                await(memory.copies);
                await(memory.work);
                await(memory.back);
            } catch (IOException e) {
                lost.addSuppressed(e);
            }
        }
        try {
            drop();
        } catch (RuntimeException e) { // a bug, but the loop goes on because readers wait for it
            lost.addSuppressed(e);
        }
    }

    /** Gives back all slots and chunks that are in flight or arrive. */
    private boolean drop() {
        boolean moved = input.slots.steal(0);
        copying.drop();
        if (lost != null) { // otherwise they go on: results may be copied back after the last read
            copyingBack.fail(lost);
            copyingIn.fail(lost);
            transforms.fail(lost);
            callers.fail(lost);
            frees.freeAll();
        }
        batches.drop();
        for (SlotFill fill = next(); fill != null; fill = next()) {
            fill.copied();
            fill.end();
            moved = true;
        }
        return moved;
    }

    private SlotFill next() {
        SlotFill fill = waiting == null ? input.slots.nextSealed() : waiting;
        waiting = null;
        return fill;
    }
}
