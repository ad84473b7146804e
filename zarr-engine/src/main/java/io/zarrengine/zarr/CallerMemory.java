package io.zarrengine.zarr;

import io.zarrengine.bindings.NativeAccess;
import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.zarr.execute.Executor;
import java.lang.foreign.MemorySegment;

/** Checks targets in the caller's memory, and makes them accessible to workers. */
final class CallerMemory {
    private CallerMemory() {}

    /**
     * Returns {@code target}, or the same memory without its owner thread. The caller must wait for
     * the read, so that its confined arena stays open.
     */
    static MemorySegment ofWaiting(Executor workers, MemorySegment target) {
        return workers.isReachable(target) ? target : withoutOwner(target);
    }

    private static MemorySegment withoutOwner(MemorySegment target) {
        if (!target.isAccessibleBy(Thread.currentThread())) {
            throw new IllegalArgumentException("the target belongs to another thread");
        }
        NativeAccess.denial()
                .ifPresent(denial -> {
                    throw new IllegalArgumentException(
                            "the target belongs to a confined arena; native access is missing: "
                                    + denial);
                });
        return target.isReadOnly() ? target : NativeHandle.withoutOwner(target);
    }

    static void refuseConfined(Executor workers, MemorySegment target) {
        if (!workers.isReachable(target)) {
            throw new IllegalArgumentException(
                    "the target belongs to a confined arena: other threads cannot write it");
        }
    }

    static void refuseUnfit(long bytes, MemorySegment target) {
        if (!target.scope().isAlive()) {
            throw new IllegalStateException("the target's arena is closed");
        }
        if (bytes > target.byteSize()) {
            throw new IndexOutOfBoundsException(
                    "the target has " + target.byteSize() + " bytes, the selection " + bytes);
        }
        if (target.isReadOnly()) {
            throw new IllegalArgumentException("the target is read-only");
        }
    }
}
