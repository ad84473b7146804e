package io.zarrengine.zarr.execute;

import io.zarrengine.uring.ReadListener;
import io.zarrengine.zarr.diskcache.KeptObject;
import io.zarrengine.zarr.diskcache.KeptVersion;
import io.zarrengine.zarr.objectstore.ObjectChangedException;
import io.zarrengine.zarr.objectstore.ObjectRead;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.store.StoredObject;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * One worker's reads from stores. A read ends on a thread of its store, and that thread wakes the
 * worker. The worker takes the reads that have ended in its next round.
 *
 * <p>Owner: one worker. Threads: its own.
 */
final class StoreReads {
    private static final long DRAIN_POLL_NANOS = 1_000_000;

    private final Runnable wake;
    private final Thread worker = Thread.currentThread();
    private final Map<ObjectStore, List<Started>> queued = new LinkedHashMap<>();
    private final Set<Started> started = new HashSet<>(); // under way, or ended and not taken
    private final Queue<Started> ended = new ConcurrentLinkedQueue<>();

    /** {@code wake} ends the worker's sleep. Threads of stores call it. */
    StoreReads(Runnable wake) {
        this.wake = wake;
    }

    /** Queues a read, which the next {@link #submit} starts; ends it now if its bytes are known. */
    void read(StretchRead read) {
        Started next = new Started(read, false);
        if (next.object.content() == null) {
            queue(next);
        } else {
            started.add(next);
            next.copyContent();
        }
    }

    /** Queues a read of one byte, which tells the version of another read's object. */
    void ask(StretchRead read) {
        queue(new Started(read, true));
    }

    private void queue(Started next) {
        queued.computeIfAbsent(next.object.store(), store -> new ArrayList<>()).add(next);
        started.add(next);
    }

    int inFlight() {
        return started.size();
    }

    /** {@return whether {@link #poll} has something to report} */
    boolean haveEnded() {
        return !ended.isEmpty();
    }

    /** Starts the queued reads. */
    void submit() {
        if (queued.isEmpty()) {
            return;
        }
        Map<ObjectStore, List<Started>> batches = new LinkedHashMap<>(queued);
        queued.clear();
        batches.forEach(StoreReads::submit);
    }

    private static void submit(ObjectStore store, List<Started> reads) {
        try {
            store.read(reads);
        } catch (RuntimeException | Error e) { // The caller wrote the store, or memory is short.
            reads.forEach(read -> read.failUnlessTaken(e));
        }
    }

    /**
     * Reports the reads that have ended. Those that {@link #ask} was called for go to {@code goOn}
     * instead, unless the question failed.
     */
    void poll(ReadListener listener, Consumer<StretchRead> goOn) {
        for (Started next = ended.poll(); next != null; next = ended.poll()) {
            started.remove(next);
            if (next.isQuestion && next.failure == null && next.result >= 0) {
                goOn.accept(next.read);
                continue;
            }
            next.read.setFailure(next.failure);
            next.tellCache();
            listener.completed(next.read.token, next.result);
        }
    }

    /**
     * Waits until no store writes to the worker's memory any more; {@return false if that takes
     * longer than the limit}
     */
    boolean drain(Duration limit) {
        long deadline = System.nanoTime() + limit.toNanos();
        started.forEach(Started::abandon);
        queued.values().forEach(reads -> reads.forEach(started::remove));
        queued.clear();
        while (!started.isEmpty()) {
            for (Started next = ended.poll(); next != null; next = ended.poll()) {
                started.remove(next);
            }
            if (System.nanoTime() > deadline) {
                return false;
            }
            LockSupport.parkNanos(this, DRAIN_POLL_NANOS);
        }
        return true;
    }

    /** A read in the form that its store takes. Threads: any. */
    private final class Started implements ObjectRead {
        private final StretchRead read; // the worker's
        private final boolean isQuestion; // reads one byte, to learn the version
        private final StoredObject object;
        private final MemorySegment memory;
        private final long offset;
        private final BooleanSupplier wanted;
        private long result; // this and the next three: set before the read has ended
        private Throwable failure;
        private long objectBytes;
        private Optional<String> foundVersion = Optional.empty();
        private boolean hasEnded; // guarded by this
        private boolean isTaken; // another thread got the memory; guarded by this
        private volatile boolean isAbandoned;

        Started(StretchRead read, boolean isQuestion) {
            this.read = read;
            this.isQuestion = isQuestion;
            this.object = (StoredObject) read.task.file();
            this.memory =
                    read.memory().asSlice(read.memoryOffset(), isQuestion ? 1 : read.readBytes);
            this.offset = isQuestion ? 0 : read.readOffset;
            this.wanted = read.task::isWanted;
        }

        void abandon() {
            isAbandoned = true;
        }

        @Override
        public String key() {
            return object.key();
        }

        @Override
        public long offset() {
            return offset;
        }

        @Override
        public long length() {
            return memory.byteSize();
        }

        @Override
        public Optional<String> version() {
            return object.versionToken();
        }

        @Override
        public boolean isWanted() {
            return !isAbandoned && wanted.getAsBoolean();
        }

        @Override
        public MemorySegment target(long bytes) {
            if (bytes < 0 || bytes > memory.byteSize()) {
                throw new IllegalArgumentException(
                        bytes + " bytes of " + memory.byteSize() + " that were wanted");
            }
            take();
            return memory.asSlice(0, bytes);
        }

        /** Another read may have the memory after the end of this one. */
        private synchronized void take() {
            if (hasEnded) {
                throw new IllegalStateException("the read has ended");
            }
            isTaken |= !Thread.currentThread().equals(worker);
        }

        /** Fails the read, unless a thread of the store may be writing to its memory. */
        private void failUnlessTaken(Throwable cause) {
            synchronized (this) {
                if (isTaken || hasEnded) {
                    return;
                }
                hasEnded = true;
            }
            report(0, cause);
        }

        @Override
        public void completed(long bytes, long newObjectBytes, Optional<String> version) {
            String before = object.versionToken().orElse("");
            boolean isOther =
                    !before.isEmpty() && version.isPresent() && !version.get().equals(before);
            if (isOther) {
                failed(new ObjectChangedException(before, version.get()));
                return;
            }
            if (endsNow()) {
                object.found(newObjectBytes, version);
                objectBytes = newObjectBytes;
                foundVersion = version;
                report(bytes, null);
            }
        }

        @Override
        public void missing() {
            if (object.versionToken().isPresent()) {
                failed(new ObjectChangedException(object.versionToken().get(), "removed"));
            } else {
                end(StretchRead.MISSING, null);
            }
        }

        @Override
        public void failed(Throwable cause) {
            if (cause instanceof ObjectChangedException) {
                object.setGone();
            }
            end(0, cause == null ? new IOException("the store gives no reason") : cause);
        }

        /** Reads an object all of whose bytes are known. */
        private void copyContent() {
            MemorySegment all = object.content();
            long bytes = Math.clamp(all.byteSize() - offset, 0, memory.byteSize());
            MemorySegment.copy(all, offset, memory, 0, bytes);
            completed(bytes, all.byteSize(), object.versionToken());
        }

        /** Gives the bytes to the cache on disk while they are still in the memory. */
        private void tellCache() {
            if (object.kept().isEmpty() || object.content() != null) {
                return;
            }
            KeptObject kept = object.kept().get();
            if (failure instanceof ObjectChangedException || result == StretchRead.MISSING) {
                kept.forget();
            } else if (failure == null && result > 0) {
                long from = offset < 0 ? objectBytes - result : offset;
                KeptVersion version = new KeptVersion(foundVersion.orElse(""), objectBytes);
                kept.keep(version, from, memory.asSlice(0, result));
            }
        }

        private void end(long newResult, Throwable newFailure) {
            if (endsNow()) {
                report(newResult, newFailure);
            }
        }

        /** {@return whether the store has not ended this read before} */
        private synchronized boolean endsNow() {
            boolean isFirst = !hasEnded;
            hasEnded = true;
            return isFirst;
        }

        private void report(long newResult, Throwable newFailure) {
            result = newResult;
            failure = newFailure;
            ended.add(this);
            wake.run();
        }
    }
}
