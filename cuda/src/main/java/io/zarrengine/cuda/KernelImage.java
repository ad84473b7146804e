package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.zarrengine.bindings.NativeHandle;
import io.zarrengine.bindings.cudart.Cudart;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Compiled kernels, loaded by the runtime.
 *
 * <p>Owner: the code that opened it, on the device's thread. Threads: the device's.
 *
 * @see <a
 *     href="https://docs.nvidia.com/cuda/cuda-runtime-api/group__CUDART__LIBRARY.html">cudaLibraryLoadData</a>
 */
final class KernelImage implements AutoCloseable {
    private final CudaDevice device;
    private final Arena arena;
    private final MemorySegment handle;

    private KernelImage(CudaDevice device, Arena arena, MemorySegment handle) {
        this.device = device;
        this.arena = arena;
        this.handle = handle;
    }

    static KernelImage open(CudaDevice device, byte[] fatbin) throws CudaException {
        device.thread().check();
        Arena arena = Arena.ofConfined();
        try {
            // The loader reads a fatbin in words, for which the alignment of malloc may not
            // suffice.
            MemorySegment code = arena.allocate(fatbin.length, 64);
            MemorySegment.copy(fatbin, 0, code, JAVA_BYTE, 0, fatbin.length);
            MemorySegment out = arena.allocate(ADDRESS);
            MemorySegment none = MemorySegment.NULL;
            device.check(
                    Cudart.cudaLibraryLoadData(out, code, none, none, 0, none, none, 0),
                    "cudaLibraryLoadData");
            MemorySegment handle =
                    NativeHandle.attach(out.get(ADDRESS, 0), arena, Cudart::cudaLibraryUnload);
            return new KernelImage(device, arena, handle);
        } catch (Throwable t) { // Allowed: rolls back a constructor
            arena.close();
            throw t;
        }
    }

    /** Returns the kernel with an {@code extern "C"} name. It is valid as long as the image. */
    CudaKernel kernel(String name) throws CudaException {
        device.thread().check();
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment out = scratch.allocate(ADDRESS);
            int code = Cudart.cudaLibraryGetKernel(out, handle, scratch.allocateFrom(name));
            if (code != 0) {
                throw device.failure(code, "cudaLibraryGetKernel", name);
            }
            return new CudaKernel(device, arena, name, out.get(ADDRESS, 0));
        }
    }

    @Override
    public void close() {
        arena.close();
    }
}
