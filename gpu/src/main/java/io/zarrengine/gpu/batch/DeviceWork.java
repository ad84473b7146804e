package io.zarrengine.gpu.batch;

import io.zarrengine.gpu.chunk.OwningRead;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceLostException;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The work that keeps the device thread running: open reads, commands, and results in device
 * memory. Owner: the device's executor. Threads: any.
 */
public final class DeviceWork {
    private final ThreadWaker waker;
    private final Set<OwningRead> reads = ConcurrentHashMap.newKeySet();
    private final Queue<Consumer<DeviceCommands>> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger holds = new AtomicInteger();
    private final AtomicInteger transforms = new AtomicInteger(); // not ended
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closing;
    private volatile DeviceLostException loss;

    /** {@code waker} wakes the device thread. */
    public DeviceWork(ThreadWaker waker) {
        this.waker = waker;
    }

    ThreadWaker waker() {
        return waker;
    }

    /**
     * Adds a read; {@link #remove} ends it.
     *
     * @throws ClosedException if the device thread may have ended
     */
    public void add(OwningRead read) {
        reads.add(read);
        if (closing) { // checked after adding, as in hold
            remove(read);
            throw ClosedException.ofEngine();
        }
        if (loss != null) {
            read.fail(loss);
        }
    }

    /** Removes a read that has ended. */
    public void remove(OwningRead read) {
        reads.remove(read);
        waker.wake();
    }

    /** {@return whether reads are open} */
    public boolean hasReads() {
        return !reads.isEmpty();
    }

    /** Queues a command for the device thread and wakes it. */
    public void post(Consumer<DeviceCommands> command) {
        commands.add(command);
        waker.wake();
    }

    /** Runs the posted commands. Returns false if there were none. */
    boolean runCommands(DeviceCommands device) {
        boolean moved = false;
        for (var command = commands.poll(); command != null; command = commands.poll()) {
            command.accept(device);
            moved = true;
        }
        return moved;
    }

    /**
     * Keeps the device thread running until {@link #letGo}.
     *
     * @throws ClosedException if the thread may have ended
     */
    public void hold() {
        holds.incrementAndGet();
        if (closing) { // checked after counting: otherwise the thread may have ended in between
            letGo();
            throw ClosedException.ofEngine();
        }
    }

    /** Ends a {@link #hold}. */
    public void letGo() {
        holds.decrementAndGet();
        waker.wake();
    }

    /**
     * Begins a transform; {@link #transformEnded} ends it. It keeps the device at work.
     *
     * @throws ClosedException if the device may not work any more
     */
    public void transformBegins() {
        transforms.incrementAndGet();
        if (closing) { // checked after counting, as in hold
            transformEnded();
            throw ClosedException.ofEngine();
        }
    }

    /** Ends a transform. */
    public void transformEnded() {
        transforms.decrementAndGet();
        waker.wake();
    }

    /** {@return the error that took the device out of service, if any} */
    public Optional<DeviceLostException> loss() {
        return Optional.ofNullable(loss);
    }

    /** Records that the device is out of service, and fails its reads. */
    void lose(DeviceLostException cause) {
        loss = cause;
        reads.forEach(read -> read.fail(cause));
    }

    /** {@return whether the device is closing and has neither an open read nor a transform} */
    boolean hasEnded() {
        return closing && reads.isEmpty() && transforms.get() == 0;
    }

    /** {@return whether the device thread may end: no read, result or command needs the device} */
    boolean mayEnd() {
        return hasEnded() && holds.get() == 0 && commands.isEmpty();
    }

    /** Notes that the thread does no more work. Open results may still hold it. */
    public void end() {
        ended.complete(null);
    }

    /** Refuses new reads, and waits until the device thread has no work left. */
    public void close() {
        closing = true;
        waker.wake();
        ended.join(); // closing the last open result ends the thread
    }
}
