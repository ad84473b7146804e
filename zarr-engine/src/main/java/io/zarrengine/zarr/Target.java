package io.zarrengine.zarr;

import io.zarrengine.zarr.device.TargetAddress;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * The destination of a read to the memory of a GPU. Immutable.
 *
 * <pre>{@code
 * array.readAsync(Selection.all(), Target.cuda(0))              // memory that the engine allocates
 * array.readAsync(Selection.all(), Target.cuda(0).into(p, n))   // the caller's memory
 * }</pre>
 */
public final class Target {
    /** The largest unit that a GPU moves at a time, in bytes. */
    private static final int ALIGNMENT_MAX = 16;

    private static final long PER_THREAD_STREAM = 2; // cudaStreamPerThread

    private final int device;
    private final long pointer;
    private final long byteSize; // -1: new memory
    private final OptionalLong after; // empty: no stream
    private final CompletableFuture<?> ready;

    private Target(
            int device,
            long pointer,
            long byteSize,
            OptionalLong after,
            CompletableFuture<?> ready) {
        this.device = device;
        this.pointer = pointer;
        this.byteSize = byteSize;
        this.after = after;
        this.ready = ready;
    }

    /**
     * {@return new memory of a CUDA device}
     *
     * @param device its number, from 0
     * @throws IllegalArgumentException if the number is negative
     */
    public static Target cuda(int device) {
        if (device < 0) {
            throw new IllegalArgumentException("the device is " + device + ": the first one is 0");
        }
        return new Target(
                device, 0, -1, OptionalLong.empty(), CompletableFuture.completedFuture(null));
    }

    /**
     * {@return memory of this device that the caller owns} For memory of the host or of another
     * device, the read fails with {@code IllegalArgumentException}, as far as the driver knows the
     * first and the last byte.
     *
     * @param devicePointer its address; a multiple of the largest power of two, up to 16, that
     *     divides the element size
     * @param bytes its length in bytes
     * @throws IllegalArgumentException if the length is negative, or the address is 0
     */
    public Target into(long devicePointer, long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("the target has " + bytes + " bytes");
        }
        if (devicePointer == 0 && bytes > 0) {
            throw new IllegalArgumentException("the target's address is 0");
        }
        return new Target(device, devicePointer, bytes, after, ready);
    }

    /**
     * {@return memory of this device that the caller owns}
     *
     * @param memory its address and its length; Java does not access it
     * @throws IllegalArgumentException if the memory is on Java's heap, is read-only, or its
     *     address is 0
     */
    public Target into(MemorySegment memory) {
        if (!memory.isNative() || memory.isReadOnly()) {
            throw new IllegalArgumentException(
                    "the target is " + (memory.isNative() ? "read-only" : "on Java's heap"));
        }
        return into(memory.address(), memory.byteSize());
    }

    /**
     * {@return this target, written after the work that is queued in a stream when the read begins}
     * Without a stream, the caller must wait for its work on the memory before the read begins. New
     * memory needs no stream. The read fails with an {@link IllegalArgumentException} if the stream
     * captures a graph, of which a read cannot be a part.
     *
     * @param stream a {@code cudaStream_t} of the device, valid until the read has ended; 0 or 1
     *     for the legacy default stream
     * @throws IllegalArgumentException if it is the default stream of the calling thread, 2
     */
    public Target after(long stream) {
        OptionalLong checked = OptionalLong.of(checkedStream(stream));
        return new Target(
                device, pointer, byteSize, checked, CompletableFuture.completedFuture(null));
    }

    /**
     * {@return this target, written once a future has completed, and after no stream} A read fails
     * as the future does. New memory needs none.
     *
     * @param event says that nobody uses the memory, such as {@link DeviceTensor#whenUnused}
     */
    public Target after(CompletableFuture<?> event) {
        return new Target(device, pointer, byteSize, OptionalLong.empty(), event);
    }

    /** Refuses a stream that another thread cannot name. */
    static long checkedStream(long stream) {
        if (stream == PER_THREAD_STREAM) {
            throw new IllegalArgumentException(
                    "the stream is cudaStreamPerThread: no other thread can wait for it");
        }
        return stream;
    }

    /** {@return the number of the device, from 0} */
    public int device() {
        return device;
    }

    /** {@return whether the engine allocates the memory} */
    public boolean isNew() {
        return byteSize < 0;
    }

    TargetAddress memory() {
        return new TargetAddress(pointer, after, ready);
    }

    /** Refuses memory that is too small or not aligned to the elements. */
    void check(long bytes, int elementBytes) {
        if (isNew()) {
            return;
        }
        if (bytes > byteSize) {
            throw new IndexOutOfBoundsException(
                    "the target has " + byteSize + " bytes, the selection " + bytes);
        }
        int alignment = Math.min(Integer.lowestOneBit(elementBytes), ALIGNMENT_MAX);
        if (pointer % alignment != 0) {
            throw new IllegalArgumentException(
                    "the target is not aligned to " + alignment + " bytes");
        }
    }

    @Override
    public String toString() {
        return "cuda:" + device + (isNew() ? "" : ", " + byteSize + " bytes of the caller's");
    }
}
