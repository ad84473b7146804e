package io.zarrengine.zarr.device;

import io.zarrengine.bindings.FailSafeLogger;
import io.zarrengine.cuda.CudaDevice;
import io.zarrengine.cuda.CudaEvent;
import io.zarrengine.cuda.CudaException;
import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceMemoryPool.Allocation;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.PinnedRing;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;

/**
 * The loop of a device's thread: it copies slots as they are filled, launches batches, and sees
 * what is done. It asks, and never waits: while one batch is decoded, slots of the next are copied.
 *
 * <p>After a failure of the device nothing is sent to it any more: reads fail, their chunks are
 * dropped, slots go back. A device that does not answer is not asked again either, since calls that
 * wait would wait for ever: what it may still use is given up, not freed.
 *
 * <p>Owner: the executor. Threads: the device's; {@link #wake} any.
 */
final class DevicePump {
    private static final FailSafeLogger LOGGER = new FailSafeLogger("io.zarrengine.zarr");

    /** How long an idle device waits for more chunks than there are: a tenth of a launch. */
    private static final long LINGER_NANOS = 200_000;

    /** The same, if enough for a batch are on their way: filling the first slots takes 2 ms. */
    private static final long LINGER_FOR_MANY_NANOS = 3_000_000;

    private static final long POLL_NANOS = 50_000;

    /** What takes the link longer than the thread naps: 0.3 ms. */
    private static final long BYTES_AHEAD = 16 << 20;

    /** How long it sleeps while the device has enough to do: to wake up takes 10 us. */
    private static final long NAP_NANOS = 150_000;

    /** Longer than the host takes for a chunk of 64 KiB that is in the page cache. */
    private static final long AWAKE_NANOS = 200_000;

    private final DeviceExecutor executor;
    private final CudaDevice device;
    private final DeviceMemories memories;
    private final BatchSizes sizes;
    private final ChunkRescue rescue;
    private final ArrayDeque<DeviceBatch> free = new ArrayDeque<>();
    private final ArrayDeque<DeviceBatch> launched = new ArrayDeque<>();
    private final FillCopies copying;
    private final SlotCopies copyingBack = new SlotCopies();
    private final SlotCopies copyingIn = new SlotCopies();
    private DeviceBatch current; // null: none is begun
    private boolean currentHasSlots;
    private SlotFill waiting; // taken, but no batch has room for it yet
    private long lastMove = System.nanoTime();
    private long lastDoneNanos = System.nanoTime();
    private DeviceLostException lost;
    private boolean isHung;
    private boolean hasAnswered;
    private final Silence silence = new Silence();
    private volatile Thread thread;
    private volatile boolean naps;

    DevicePump(DeviceExecutor executor, CudaDevice device, DeviceMemories memories) {
        this.executor = executor;
        this.device = device;
        this.memories = memories;
        sizes = new BatchSizes(device.properties().multiprocessors());
        copying = new FillCopies(memories.slotEvents);
        rescue = new ChunkRescue(memories, this::await);
        free.addAll(memories.batches);
    }

    /** Ends the thread's sleep. */
    void wake() {
        LockSupport.unpark(thread);
    }

    /** The same because of a slot, which can wait while the device has enough to do. */
    void wakeForSlot() {
        if (!naps) {
            wake();
        }
    }

    /** Works until the executor is closed and nothing is left. */
    Void run() {
        thread = Thread.currentThread();
        boolean works = true;
        while (!executor.mayEnd()) {
            if (works && executor.hasEnded()) {
                works = false;
                drop();
                if (!isHung) {
                    memories.closeWorking();
                }
                executor.workEnded();
            }
            boolean moved;
            try {
                moved = executor.runCommands(this);
                moved |= lost != null ? drop() : works ? step() : releaseCopied();
                listen(hasAnswered || !isDeviceBusy());
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
            memories.close();
        }
        device.close();
        return null;
    }

    /** Gives a device up that does not answer. */
    private void listen(boolean answered) throws DeviceHungException {
        try {
            silence.listen(answered);
        } catch (DeviceHungException e) {
            isHung = true;
            device.giveUp();
            throw e;
        }
    }

    /** Waits for what a stream has to do, but not for ever. */
    private void await(CudaStream stream) throws IOException {
        memories.awaited.record(stream);
        listen(true);
        while (!memories.awaited.isDone()) {
            listen(false);
            Thread.onSpinWait();
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // Measured: docs/gpu.md.
    private void rest(boolean moved) {
        if (moved) {
            lastMove = System.nanoTime();
        } else if (executor.hasProducers()) {
            // Workers need all cores: a thread that spins beside them loses its own for
            // milliseconds now and then, or takes one of theirs. One that sleeps is late, unless
            // the device has enough to do.
            if (isFull() || copying.bytesAhead() >= BYTES_AHEAD) {
                nap(isCopyAwaited() ? POLL_NANOS : NAP_NANOS);
            } else {
                Thread.yield();
            }
        } else if (isDeviceBusy() || isCopyExpected()) {
            Thread.onSpinWait();
        } else if (executor.hasReads()) {
            LockSupport.parkNanos(POLL_NANOS);
        } else {
            boolean isToLook = memories.files.isInUse(); // For what nobody uses any more.
            LockSupport.parkNanos(isToLook ? RegisteredFiles.LOOK_NANOS : Long.MAX_VALUE);
            lastMove = System.nanoTime();
        }
    }

    private void nap(long nanos) {
        naps = true;
        LockSupport.parkNanos(nanos);
        naps = false;
    }

    /** Nothing can be copied before a batch is done, which takes milliseconds. */
    private boolean isFull() {
        return waiting != null && current == null;
    }

    private boolean isDeviceBusy() {
        return !(launched.isEmpty() && copying.isEmpty() && !isCopyAwaited());
    }

    /** Somebody waits for a copy of his own. */
    private boolean isCopyAwaited() {
        return !(copyingBack.isEmpty() && copyingIn.isEmpty());
    }

    /** The host decodes something small: to wake up would take longer than to copy it. */
    private boolean isCopyExpected() {
        return executor.hasSmallReads() && System.nanoTime() - lastMove < AWAKE_NANOS;
    }

    private boolean step() throws IOException {
        boolean moved = releaseCopied();
        moved |= finishLaunched();
        boolean mayBegin = !memories.files.hasToEnd();
        boolean isHandedOver = !executor.hasProducers(); // Before lanes are looked at.
        moved |= mayBegin && copySealed(isHandedOver);
        moved |= mayBegin && launchIfDue(isHandedOver);
        moved |= memories.files.step(!isDeviceBusy());
        return moved;
    }

    private boolean releaseCopied() throws CudaException {
        boolean moved = copying.release();
        moved |= copyingBack.complete();
        moved |= copyingIn.complete();
        hasAnswered |= moved;
        return moved;
    }

    private CudaEvent event(PinnedRing.Slot slot) {
        return memories.slotEvents.get(slot.index());
    }

    private boolean finishLaunched() throws IOException {
        boolean moved = false;
        while (!launched.isEmpty() && launched.peek().isDone()) {
            DeviceBatch batch = launched.peek();
            batch.times().seen(batch.chunks());
            batch.learn(executor.costs(), lastDoneNanos);
            lastDoneNanos = System.nanoTime();
            batch.forEachFailed((chunk, bytes) -> {
                if (rescue.tryRescue(batch, chunk, bytes)) {
                    executor.counters().rescued();
                }
            });
            launched.remove();
            batch.end();
            executor.ahead().begins(launched.isEmpty() ? 0 : lastDoneNanos);
            free.add(batch);
            moved = true;
        }
        hasAnswered |= moved;
        return moved;
    }

    /** Copies the slots that are full, and what workers have begun if there is nothing else. */
    private boolean copySealed(boolean isHandedOver) throws IOException {
        boolean moved = copyAll();
        boolean isDue = isHandedOver || isAwaited() || (launched.isEmpty() && isDue(false));
        if (waiting == null && isDue && executor.steal()) {
            copyAll();
            moved = true;
        }
        return moved;
    }

    /** Nobody will bring more soon: no worker has a part of a read, or none came for a while. */
    private boolean isDue(boolean isHandedOver) {
        boolean isMuchToCome = executor.toCome() >= BatchSizes.CHUNKS_MIN;
        long linger = isMuchToCome ? LINGER_FOR_MANY_NANOS : LINGER_NANOS;
        return isHandedOver || System.nanoTime() - lastMove > linger;
    }

    /** What is here has waited for more, with a device that has nothing to do. */
    private boolean isLate() {
        long since = Math.max(current.begunNanos(), lastDoneNanos);
        return System.nanoTime() - since > LINGER_FOR_MANY_NANOS;
    }

    private boolean copyAll() throws IOException {
        boolean moved = false;
        while (true) {
            waiting = waiting == null ? executor.nextSealed() : waiting;
            current = current == null ? free.poll() : current;
            if (waiting == null || current == null) {
                return moved;
            }
            long begin = System.nanoTime();
            Places places = endsBefore(waiting) ? null : current.tryAdd(waiting);
            long describeNanos = System.nanoTime() - begin;
            if (places == null) {
                launch();
            } else {
                SlotFill fill = waiting;
                waiting = null; // Its chunks are the batch's from now on.
                currentHasSlots = true;
                copy(fill, places, describeNanos);
                if (isFirst()) {
                    launch();
                }
            }
            moved = true;
        }
    }

    private boolean endsBefore(SlotFill next) {
        if (!currentHasSlots || launched.size() > 1) {
            return false;
        }
        int chunks = current.chunks();
        return sizes.isWhole(chunks, next.entries().size())
                && !(BatchSizes.fits(chunks, current.share(), executor.toCome()) && comesInTime());
    }

    /** What is to come comes before the device has decoded what it decodes. */
    private boolean comesInTime() {
        long toCome = executor.toCome();
        if (launched.isEmpty() || toCome == 0) { // The next slot is here: more is than was thought.
            return false;
        }
        long now = System.nanoTime();
        return current.nanosFor(toCome + copying.chunks(), now)
                < launched.peek().nanosLeft(executor.costs(), lastDoneNanos, now);
    }

    private boolean isFirst() {
        long toCome = executor.toCome();
        return launched.isEmpty()
                && toCome > 0
                && sizes.isFirst(current.chunks(), current.share(), toCome);
    }

    private void copy(SlotFill fill, Places places, long describeNanos) throws CudaException {
        fill.joined();
        MemorySegment content = fill.content();
        long ofFiles = fill.files().byteSize();
        boolean isEmpty = content.byteSize() + ofFiles == 0; // Fill values, or what is there.
        if (isEmpty) {
            fill.copied();
        } else {
            copying.add(fill); // Before the calls: whatever becomes of them, it is given back.
        }
        current.times().copy(memories.copies, content.byteSize() + ofFiles, describeNanos);
        if (content.byteSize() > 0) {
            executor.counters().copied(content.byteSize());
            memories.copies.copyToDevice(
                    content, new DeviceSlice(places.slotAddress(), content.byteSize()));
        }
        if (ofFiles > 0) {
            executor.counters().copiedFromFiles(fill.files().copiedBytes());
            DeviceSlice target = new DeviceSlice(places.filesAddress(), ofFiles);
            fill.files().queue(memories.fileCopies, memories.copies, target);
        }
        if (!isEmpty) {
            event(fill.slot()).record(memories.copies);
        }
    }

    private boolean launchIfDue(boolean isHandedOver) throws IOException {
        if (!currentHasSlots || launched.size() > 1) {
            return false;
        }
        boolean isLarge = current.chunks() >= BatchSizes.CHUNKS_MIN;
        boolean isAll = isLarge && executor.toCome() == 0;
        boolean isEnough = isAll || (isLarge && (isFirst() || isLate()));
        boolean isIdle = launched.isEmpty();
        if (isIdle ? isEnough || isDue(isHandedOver) || isAwaited() : isAll && isHandedOver) {
            launch();
            return true;
        }
        return false;
    }

    /** Workers wait for what only a batch gives back. */
    private boolean isAwaited() {
        return memories.directSlots != null && memories.directSlots.areScarce();
    }

    private void launch() throws IOException {
        DeviceBatch batch = current;
        current = null;
        currentHasSlots = false;
        executor.counters().launched(batch.chunks(), batch.decodes());
        if (launched.isEmpty()) {
            executor.ahead().begins(System.nanoTime());
        }
        launched.add(batch); // Before the calls: whatever becomes of them, its chunks have to end.
        batch.launch(
                memories.copies,
                memories.work,
                memories.decoders,
                memories.scratch,
                memories.kernels);
    }

    /** {@return new memory for a result} */
    Allocation allocate(long bytes) throws IOException {
        if (lost != null) {
            throw lost;
        }
        try {
            return memories.pool.allocate(bytes, memories.work);
        } catch (CudaException e) {
            lose(e);
            throw lost;
        }
    }

    /** Copies device memory that is complete to a slot. */
    void copyBack(DeviceSlice source, PinnedRing.Slot slot, CompletableFuture<Void> done) {
        copy(
                slot,
                memories.back,
                copyingBack,
                done,
                back -> back.copyToHost(source, slot.segment()));
    }

    /** Copies a slot's content to memory that was allocated here, or is the caller's. */
    void copyIn(
            PinnedRing.Slot slot,
            MemorySegment content,
            DeviceSlice target,
            CompletableFuture<Void> done) {
        executor.counters().copied(content.byteSize());
        // In the stream that the memory is allocated in: it may have been somebody else's before.
        copy(slot, memories.work, copyingIn, done, work -> work.copyToDevice(content, target));
    }

    private interface Copy {
        void queue(CudaStream stream) throws CudaException;
    }

    private void copy(
            PinnedRing.Slot slot,
            CudaStream stream,
            SlotCopies copies,
            CompletableFuture<Void> done,
            Copy copy) {
        if (lost != null) {
            done.completeExceptionally(lost);
            return;
        }
        try {
            copy.queue(stream);
            CudaEvent event = event(slot);
            event.record(stream);
            copies.add(event, done);
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
            executor.lost(lost);
        }
        if (!isHung) {
            try { // If it still works, it may still write to its targets.
                await(memories.copies);
                await(memories.work);
                await(memories.back);
            } catch (IOException e) {
                lost.addSuppressed(e);
            }
        }
        try {
            drop();
        } catch (RuntimeException e) { // A bug, but the loop goes on: readers wait for it.
            lost.addSuppressed(e);
        }
    }

    /** Gives everything back that is under way or comes in. */
    private boolean drop() {
        boolean moved = executor.steal();
        copying.drop();
        if (lost != null) { // Else they go on: results may be copied back after the last read.
            copyingBack.fail(lost);
            copyingIn.fail(lost);
        }
        if (current != null) {
            launched.add(current);
            current = null;
            currentHasSlots = false;
        }
        while (!launched.isEmpty()) {
            DeviceBatch batch = launched.remove();
            batch.end();
            free.add(batch);
        }
        for (SlotFill fill = next(); fill != null; fill = next()) {
            fill.copied();
            fill.end();
            moved = true;
        }
        return moved;
    }

    private SlotFill next() {
        SlotFill fill = waiting == null ? executor.nextSealed() : waiting;
        waiting = null;
        return fill;
    }
}
