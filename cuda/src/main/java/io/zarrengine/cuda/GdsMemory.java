package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;

import io.zarrengine.bindings.cudart.Cudart;
import io.zarrengine.bindings.cufile.Cufile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Device memory for direct reads, registered with cuFile. It is not allocated from a pool, because
 * cuFile cannot register pool memory everywhere.
 *
 * <p>Owner: the code that allocated it, on the device's thread; closed there, after the last read
 * to it.
 */
public final class GdsMemory implements AutoCloseable {
    private final CudaDevice device;
    private final DeviceSlice slice;
    private final GdsException refusal; // null: it is registered

    private GdsMemory(CudaDevice device, DeviceSlice slice, GdsException refusal) {
        this.device = device;
        this.slice = slice;
        this.refusal = refusal;
    }

    /**
     * Allocates memory.
     *
     * @param device the device to allocate on; called on its thread
     * @param bytes length in bytes, {@code > 0}
     * @return memory owned by the caller
     * @throws CudaException if there is not that much
     */
    public static GdsMemory allocate(CudaDevice device, long bytes) throws CudaException {
        device.thread().check();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment out = arena.allocate(ADDRESS);
            int code = Cudart.cudaMalloc(out, bytes);
            if (code != 0) {
                throw device.failure(code, "cudaMalloc", bytes + " bytes");
            }
            DeviceSlice slice = new DeviceSlice(out.get(ADDRESS, 0).address(), bytes);
            return new GdsMemory(device, slice, register(arena, slice));
        }
    }

    private static GdsException register(Arena arena, DeviceSlice slice) {
        long bytes = slice.byteSize();
        try {
            MemorySegment answer = Cufile.cuFileBufRegister(arena, slice.pointer(), bytes, 0);
            GdsException.check(answer, "cuFileBufRegister", bytes + " bytes");
            return null;
        } catch (GdsException e) {
            return e;
        }
    }

    /**
     * {@return the reason for which it is not registered; reads then pass through other device
     * memory}
     */
    public Optional<GdsException> refusal() {
        return Optional.ofNullable(refusal);
    }

    /** {@return the memory} */
    public DeviceSlice slice() {
        return slice;
    }

    CudaDevice device() {
        return device;
    }

    /**
     * Frees the memory.
     *
     * @throws WrongThreadException if this is not the device's thread
     * @throws IllegalStateException if cuFile refuses to release it; it is not freed then
     */
    @Override
    public void close() {
        device.thread().check();
        try (Arena arena = Arena.ofConfined()) {
            if (refusal == null) {
                MemorySegment answer = Cufile.cuFileBufDeregister(arena, slice.pointer());
                GdsException.check(answer, "cuFileBufDeregister", slice.byteSize() + " bytes");
            }
            device.check(Cudart.cudaFree(slice.pointer()), "cudaFree");
        } catch (GdsException | CudaException e) {
            if (device.loss().isEmpty()) {
                throw new IllegalStateException(e);
            }
        }
    }
}
