package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.cudart.Cudart;
import io.zarrengine.bindings.cudart.cudaMemLocation;
import io.zarrengine.bindings.cudart.cudaMemPoolProps;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Device memory with a hard budget. Freed memory stays in the pool until the pool is closed, so
 * that the next allocation takes microseconds.
 *
 * <p>The budget is enforced twice: here by counting, so that a request beyond it never reaches the
 * device, and by the driver, which does not let the pool grow beyond it.
 *
 * <p>Owner: the code that opened it, on the device's thread. Threads: the device's.
 */
public final class DeviceMemoryPool implements AutoCloseable {
    /** Device memory. {@link #close()} frees it, once its stream has passed that point. */
    public final class Allocation implements AutoCloseable {
        private final Arena arena;
        private final DeviceSlice all;
        private CudaStream last; // frees the memory

        private Allocation(Arena arena, long address, long bytes, CudaStream first) {
            this.arena = arena;
            this.all = new DeviceSlice(address, bytes);
            this.last = first;
        }

        /** {@return all of the memory; valid until {@link #close}} */
        public DeviceSlice slice() {
            return all;
        }

        /**
         * Frees the memory after the work queued in another stream than its own, as {@link #close}.
         *
         * @param stream the last one to use it
         */
        public void closeAfter(CudaStream stream) {
            last = stream;
            close();
        }

        /**
         * Frees the memory after the work queued in its stream. Other streams must have finished
         * with it.
         */
        @Override
        public void close() {
            arena.close();
            budget.release(all.byteSize());
        }
    }

    /**
     * The largest step in bytes by which a pool grows. The pool's limit must be a multiple of it,
     * otherwise the last bytes of the budget could not be allocated.
     */
    private static final long GROWTH_BYTES = 32 << 20;

    private final CudaDevice device;
    private final Arena arena;
    private final MemorySegment handle;
    private final ByteBudget budget;

    private DeviceMemoryPool(
            CudaDevice device, Arena arena, MemorySegment handle, ByteBudget budget) {
        this.device = device;
        this.arena = arena;
        this.handle = handle;
        this.budget = budget;
    }

    /**
     * Opens an empty pool.
     *
     * @param device the device with the memory; called on its thread
     * @param budgetBytes the maximum allocated at a time, in bytes
     * @return a pool owned by the caller
     * @throws CudaException if the device has no pools, or is lost
     */
    public static DeviceMemoryPool open(CudaDevice device, long budgetBytes) throws CudaException {
        device.thread().check();
        ByteBudget budget = new ByteBudget(budgetBytes);
        Arena arena = Arena.ofConfined();
        try {
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment properties = properties(arena, device.ordinal(), budgetBytes);
            device.check(Cudart.cudaMemPoolCreate(out, properties), "cudaMemPoolCreate");
            MemorySegment handle =
                    NativeHandle.attach(out.get(ADDRESS, 0), arena, Cudart::cudaMemPoolDestroy);
            DeviceMemoryPool pool = new DeviceMemoryPool(device, arena, handle, budget);
            pool.keepWhatIsFreed();
            return pool;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    private static MemorySegment properties(Arena arena, int ordinal, long budgetBytes) {
        MemorySegment properties = cudaMemPoolProps.allocate(arena);
        cudaMemPoolProps.allocType(properties, Cudart.cudaMemAllocationTypePinned());
        cudaMemPoolProps.handleTypes(properties, Cudart.cudaMemHandleTypeNone());
        MemorySegment location = cudaMemPoolProps.location(properties);
        cudaMemLocation.type(location, Cudart.cudaMemLocationTypeDevice());
        cudaMemLocation.id(location, ordinal);
        long steps = (budgetBytes + GROWTH_BYTES - 1) / GROWTH_BYTES;
        cudaMemPoolProps.maxSize(properties, steps * GROWTH_BYTES);
        return properties;
    }

    private void keepWhatIsFreed() throws CudaException {
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment all = scratch.allocateFrom(JAVA_LONG, Long.MAX_VALUE);
            device.check(
                    Cudart.cudaMemPoolSetAttribute(
                            handle, Cudart.cudaMemPoolAttrReleaseThreshold(), all),
                    "cudaMemPoolSetAttribute");
        }
    }

    /**
     * Allocates memory, aligned to 256 bytes.
     *
     * @param bytes length in bytes, {@code > 0}
     * @param stream the first stream to use it; another stream must wait for an event of this one
     * @return memory owned by the caller
     * @throws DeviceBudgetException if the budget or the device has fewer bytes left
     * @throws IOException if the call fails otherwise
     */
    public Allocation allocate(long bytes, CudaStream stream) throws IOException {
        device.thread().check();
        long rounded = budget.take(bytes);
        try {
            return allocateRounded(rounded, stream);
        } catch (Throwable t) { // Allowed: gives the budget back
            budget.release(rounded);
            throw t;
        }
    }

    private Allocation allocateRounded(long bytes, CudaStream stream) throws IOException {
        Arena owner = Arena.ofConfined();
        try {
            MemorySegment out = owner.allocate(ADDRESS);
            int code = Cudart.cudaMallocFromPoolAsync(out, bytes, handle, stream.handle());
            if (code != 0) {
                throw refusal(code, bytes);
            }
            MemorySegment memory = out.get(ADDRESS, 0);
            Allocation made = new Allocation(owner, memory.address(), bytes, stream);
            NativeHandle.attach(memory, owner, it -> Cudart.cudaFreeAsync(it, made.last.handle()));
            return made;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            owner.close();
            throw t;
        }
    }

    private IOException refusal(int code, long bytes) {
        CudaException failure = device.failure(code, "cudaMallocFromPoolAsync", bytes + " bytes");
        return failure.error() == CudaError.MEMORY_ALLOCATION
                ? new DeviceBudgetException(
                        bytes, budget.availableBytes() + bytes, budget.limitBytes(), failure)
                : failure;
    }

    /** {@return the allocated bytes} */
    public long usedBytes() {
        return budget.usedBytes();
    }

    /** {@return the maximum allocated at a time, in bytes} */
    public long budgetBytes() {
        return budget.limitBytes();
    }

    /**
     * {@return the bytes that the pool has taken from the device, as the driver counts}
     *
     * @throws CudaException if the call fails
     */
    public long reservedBytes() throws CudaException {
        device.thread().check();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment value = scratch.allocate(JAVA_LONG);
            device.check(
                    Cudart.cudaMemPoolGetAttribute(
                            handle, Cudart.cudaMemPoolAttrReservedMemCurrent(), value),
                    "cudaMemPoolGetAttribute");
            return value.get(JAVA_LONG, 0);
        }
    }

    /**
     * Gives all memory back to the device.
     *
     * @throws IllegalStateException if some is still allocated, which is a bug of its owner
     */
    @Override
    public void close() {
        if (budget.usedBytes() != 0) {
            throw new IllegalStateException(budget.usedBytes() + " bytes are still allocated");
        }
        arena.close();
    }
}
