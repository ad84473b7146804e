package io.zarrengine.zarr;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.zarrengine.cuda.CudaDevice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** Captures of CUDA graphs, as a caller of the engine makes them. */
public final class Captures {
    private static final int GLOBAL = 0; // cudaStreamCaptureModeGlobal, the one of PyTorch
    private static final int BLOCKING = 0; // cudaStreamDefault

    private static final MethodHandle CREATE =
            function("cudaStreamCreateWithFlags", ADDRESS, JAVA_INT);
    private static final MethodHandle DESTROY = function("cudaStreamDestroy", ADDRESS);
    private static final MethodHandle BEGIN = function("cudaStreamBeginCapture", ADDRESS, JAVA_INT);
    private static final MethodHandle END = function("cudaStreamEndCapture", ADDRESS, ADDRESS);
    private static final MethodHandle DESTROY_GRAPH = function("cudaGraphDestroy", ADDRESS);

    private Captures() {}

    @SuppressWarnings("restricted") // The engine never captures, so it does not bind these.
    private static MethodHandle function(String name, MemoryLayout... arguments) {
        String library = System.getProperty("io.zarrengine.cudart.path", "libcudart.so.13");
        Arena process = Arena.global(); // Allowed: CUDA is never unloaded.
        MemorySegment address = SymbolLookup.libraryLookup(library, process).findOrThrow(name);
        return Linker.nativeLinker()
                .downcallHandle(address, FunctionDescriptor.of(JAVA_INT, arguments));
    }

    private static int call(MethodHandle function, Object... arguments) {
        try {
            return (int) function.invokeWithArguments(arguments);
        } catch (Throwable e) { // Allowed: the handle declares it.
            throw new AssertionError(e);
        }
    }

    private static void succeed(MethodHandle function, Object... arguments) {
        assertEquals(0, call(function, arguments));
    }

    /** Opens a stream for which the legacy default stream waits. */
    static long openBlocking(CudaDevice device) throws IOException {
        return device.thread()
                .call(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment out = arena.allocate(ADDRESS);
                        succeed(CREATE, out, BLOCKING);
                        return out.get(ADDRESS, 0).address();
                    }
                });
    }

    static void close(CudaDevice device, long stream) throws IOException {
        device.thread()
                .call(() -> {
                    succeed(DESTROY, MemorySegment.ofAddress(stream));
                    return null;
                });
    }

    /** Begins a capture that forbids other threads unsafe calls. */
    public static void begin(CudaDevice device, long stream) throws IOException {
        device.thread()
                .call(() -> {
                    succeed(BEGIN, MemorySegment.ofAddress(stream), GLOBAL);
                    return null;
                });
    }

    /** Ends a capture, which must have stayed valid. */
    public static void end(CudaDevice device, long stream) throws IOException {
        device.thread()
                .call(() -> {
                    try (Arena arena = Arena.ofConfined()) {
                        MemorySegment out = arena.allocate(ADDRESS);
                        succeed(END, MemorySegment.ofAddress(stream), out);
                        succeed(DESTROY_GRAPH, out.get(ADDRESS, 0));
                    }
                    return null;
                });
    }
}
