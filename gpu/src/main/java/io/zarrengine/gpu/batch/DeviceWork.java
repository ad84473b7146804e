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
 * What keeps a device's thread going: open reads, commands, and results that lie in its memory.
 * Owner: the device's executor. Threads: any.
 */
public final class DeviceWork {
    private final ThreadWaker waker;
    private final Set<OwningRead> reads = ConcurrentHashMap.newKeySet();
    private final Queue<Consumer<DeviceCommands>> commands = new ConcurrentLinkedQueue<>();
    private final AtomicInteger holds = new AtomicInteger();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile boolean closing;
    private volatile DeviceLostException loss;

    /** {@code waker}: of the device's thread. */
    public DeviceWork(ThreadWaker waker) {
        this.waker = waker;
    }

    ThreadWaker waker() {
        return waker;
    }

    /**
     * Adds a read; {@link #remove} ends it.
     *
     * @throws ClosedException if the device's thread may be gone
     */
    public void add(OwningRead read) {
        reads.add(read);
        if (closing) { // Asked after it was added, as in hold.
            remove(read);
            throw ClosedException.ofEngine();
        }
        if (loss != null) {
            read.fail(loss);
        }
    }

    /** A read has ended. */
    public void remove(OwningRead read) {
        reads.remove(read);
        waker.wake();
    }

    /** {@return whether reads are open} */
    public boolean hasReads() {
        return !reads.isEmpty();
    }

    /** Runs something on the device's thread, soon. */
    public void post(Consumer<DeviceCommands> command) {
        commands.add(command);
        waker.wake();
    }

    /** Runs what was posted; false if nothing was. */
    boolean runCommands(DeviceCommands device) {
        boolean moved = false;
        for (var command = commands.poll(); command != null; command = commands.poll()) {
            command.accept(device);
            moved = true;
        }
        return moved;
    }

    /**
     * Has the device's thread go on until {@link #letGo}.
     *
     * @throws ClosedException if it may be gone
     */
    public void hold() {
        holds.incrementAndGet();
        if (closing) { // Asked after it was counted: the thread may be gone otherwise.
            letGo();
            throw ClosedException.ofEngine();
        }
    }

    /** Ends a {@link #hold}. */
    public void letGo() {
        holds.decrementAndGet();
        waker.wake();
    }

    /** {@return the error that took the device out of service, if any} */
    public Optional<DeviceLostException> loss() {
        return Optional.ofNullable(loss);
    }

    /** The device is out of service: its reads fail. */
    void lose(DeviceLostException cause) {
        loss = cause;
        reads.forEach(read -> read.fail(cause));
    }

    /** {@return whether nothing is decoded any more} */
    boolean hasEnded() {
        return closing && reads.isEmpty();
    }

    /** {@return whether nobody needs the device's memory any more either} */
    boolean mayEnd() {
        return hasEnded() && holds.get() == 0 && commands.isEmpty();
    }

    /** The thread works no more, though results may hold it. */
    public void end() {
        ended.complete(null);
    }

    /** Accepts no read any more, and waits until the thread has nothing to work at. */
    public void close() {
        closing = true;
        waker.wake();
        ended.join(); // The last open result ends the thread.
    }
}
