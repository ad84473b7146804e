package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.cudart.Cudart;
import io.zarrengine.bindings.cudart.cudaLaunchConfig_st;
import io.zarrengine.bindings.cudart.dim3;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A kernel. Each parameter has 8 bytes, except a structure that some kernels take first. A launch
 * takes about 3 µs and does not wait.
 *
 * <p>Owner: its image. Threads: the device's.
 */
final class CudaKernel {
    private static final int PARAMETERS_MAX = 8;
    private static final long STRUCTURE_BYTES_MAX = TransformParameters.BYTES;
    static final int THREADS_PER_BLOCK = 256; // enough to hide memory latency; 8 blocks fit

    private final CudaDevice device;
    private final String name;
    private final MemorySegment function;
    private final MemorySegment config;
    private final MemorySegment values;
    private final MemorySegment pointers;
    private final MemorySegment structure;

    CudaKernel(CudaDevice device, Arena arena, String name, MemorySegment function) {
        this.device = device;
        this.name = name;
        this.function = function;
        values = arena.allocate(JAVA_LONG, PARAMETERS_MAX);
        pointers = arena.allocate(ADDRESS, PARAMETERS_MAX);
        for (int i = 0; i < PARAMETERS_MAX; i++) {
            pointers.setAtIndex(ADDRESS, i, values.asSlice(8L * i, 8));
        }
        structure = arena.allocate(STRUCTURE_BYTES_MAX, Long.BYTES);
        config = cudaLaunchConfig_st.allocate(arena).fill((byte) 0);
        setSize(cudaLaunchConfig_st.gridDim(config), 1);
        setSize(cudaLaunchConfig_st.blockDim(config), THREADS_PER_BLOCK);
    }

    private static void setSize(MemorySegment size, int x) {
        dim3.x(size, x);
        dim3.y(size, 1);
        dim3.z(size, 1);
    }

    /** Queues a launch of {@code blocks} blocks. The call copies the arguments. */
    void launch(CudaStream stream, int blocks, long... arguments) throws CudaException {
        launch(stream, blocks, 0, arguments);
    }

    /** Queues a launch, with a structure as the first argument. The call copies the arguments. */
    void launch(CudaStream stream, int blocks, MemorySegment first, long... arguments)
            throws CudaException {
        MemorySegment own = pointers.get(ADDRESS, 0);
        structure.copyFrom(first);
        pointers.set(ADDRESS, 0, structure);
        try {
            launch(stream, blocks, 1, arguments);
        } finally {
            pointers.set(ADDRESS, 0, own);
        }
    }

    private void launch(CudaStream stream, int blocks, int from, long... arguments)
            throws CudaException {
        device.thread().check();
        dim3.x(cudaLaunchConfig_st.gridDim(config), blocks);
        cudaLaunchConfig_st.stream(config, stream.handle());
        for (int i = 0; i < arguments.length; i++) {
            values.setAtIndex(JAVA_LONG, from + i, arguments[i]);
        }
        int code = Cudart.cudaLaunchKernelExC(config, function, pointers);
        if (code != 0) {
            throw device.failure(code, "cudaLaunchKernelExC", name + ", " + blocks + " blocks");
        }
    }
}
