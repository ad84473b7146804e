package io.zarrengine.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.bindings.cudart.Cudart;
import io.zarrengine.bindings.cudart.cudaPointerAttributes;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A device, and the thread that makes its calls.
 *
 * <p>Owner: the code that opened it; everything opened on the device is closed before it. Threads:
 * {@link #thread}, {@link #properties} and {@link #loss} any; objects opened on the device are used
 * on its {@link DeviceThread}.
 *
 * <p>A sticky error makes the device unusable for this process. It is kept in {@link #loss}, and
 * the work goes to the CPU.
 */
public final class CudaDevice implements AutoCloseable {
    /**
     * Properties of a device.
     *
     * @param pciBusId its PCI address, e.g. {@code "0000:06:00.0"}
     * @param computeCapability 10 times major plus minor, e.g. 90
     * @param multiprocessors number of multiprocessors
     * @param l2CacheBytes size of the cache that all of them share, in bytes
     * @param copyEngines number of copies that can run at the same time, in parallel with kernels
     * @param memoryBytes size of its memory in bytes
     * @param hasMemoryPools whether memory can be allocated from pools
     * @param readsFileMemory whether read-only memory, as files are mapped, can be registered
     *     ({@link RegisteredMemory})
     */
    public record Properties(
            String pciBusId,
            int computeCapability,
            int multiprocessors,
            int l2CacheBytes,
            int copyEngines,
            long memoryBytes,
            boolean hasMemoryPools,
            boolean readsFileMemory) {}

    private static final int PCI_BUS_ID_BYTES = 32; // "domain:bus:device.function" and a NUL

    /** Ordinals of devices that do not answer. A call that waits for one would never return. */
    private static final Set<Integer> HUNG = ConcurrentHashMap.newKeySet();

    private final int ordinal;
    private final DeviceThread thread;
    private final Set<CudaStream> streams = new HashSet<>(); // open; used on the thread
    private volatile CudaException loss;
    private Properties properties;

    private CudaDevice(int ordinal) {
        this.ordinal = ordinal;
        this.thread = new DeviceThread("zarr-cuda-" + ordinal);
    }

    /**
     * Opens a device. May be called only if {@link CudaRuntime#status} is usable.
     *
     * @param ordinal number of the device, from 0
     * @return a device owned by the caller
     * @throws IOException if there is no such device, or it cannot be used, or {@link #giveUp} was
     *     called for it
     */
    public static CudaDevice open(int ordinal) throws IOException {
        if (HUNG.contains(ordinal)) {
            throw new IOException(
                    "device " + ordinal + " has stopped answering; a new process may use it");
        }
        CudaDevice device = new CudaDevice(ordinal);
        try {
            device.properties = device.thread.call(device::start);
            return device;
        } catch (Throwable t) { // Allowed: rolls back a constructor
            device.close();
            throw t;
        }
    }

    private Properties start() throws CudaException {
        check(Cudart.cudaSetDevice(ordinal), "cudaSetDevice");
        var _ = CaptureMode.RELAXED.exchange(); // after that: it may create the device's context
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment busId = arena.allocate(PCI_BUS_ID_BYTES);
            check(
                    Cudart.cudaDeviceGetPCIBusId(busId, PCI_BUS_ID_BYTES, ordinal),
                    "cudaDeviceGetPCIBusId");
            int major = attribute(Cudart.cudaDevAttrComputeCapabilityMajor());
            int minor = attribute(Cudart.cudaDevAttrComputeCapabilityMinor());
            return new Properties(
                    busId.getString(0),
                    10 * major + minor,
                    attribute(Cudart.cudaDevAttrMultiProcessorCount()),
                    attribute(Cudart.cudaDevAttrL2CacheSize()),
                    attribute(Cudart.cudaDevAttrAsyncEngineCount()),
                    memoryInfo(arena)[1],
                    attribute(Cudart.cudaDevAttrMemoryPoolsSupported()) != 0,
                    attribute(Cudart.cudaDevAttrHostRegisterReadOnlySupported()) != 0);
        }
    }

    private int attribute(int number) throws CudaException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment value = arena.allocate(JAVA_INT);
            int code = Cudart.cudaDeviceGetAttribute(value, number, ordinal);
            if (code != 0) {
                throw failure(code, "cudaDeviceGetAttribute", "attribute " + number);
            }
            return value.get(JAVA_INT, 0);
        }
    }

    /** Returns free and total bytes. The first call of a process creates the device's context. */
    private long[] memoryInfo(Arena arena) throws CudaException {
        MemorySegment free = arena.allocate(JAVA_LONG);
        MemorySegment total = arena.allocate(JAVA_LONG);
        check(Cudart.cudaMemGetInfo(free, total), "cudaMemGetInfo");
        return new long[] {free.get(JAVA_LONG, 0), total.get(JAVA_LONG, 0)};
    }

    /**
     * {@return the device's free memory at this moment, in bytes}
     *
     * @throws CudaException if the device is lost
     */
    public long freeBytes() throws CudaException {
        thread.check();
        try (Arena arena = Arena.ofConfined()) {
            return memoryInfo(arena)[0];
        }
    }

    /**
     * Checks that this device can write to memory that the caller allocated. Checks only the first
     * and the last byte.
     *
     * @param memory the memory, at least one byte
     * @throws IllegalArgumentException if it is host memory, another device's memory, or not
     *     allocated
     * @throws CudaException if the driver's query fails, e.g. because the device is lost
     */
    public void requireAllocated(DeviceSlice memory) throws CudaException {
        thread.check();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = cudaPointerAttributes.allocate(arena);
            for (long offset : new long[] {0, memory.byteSize() - 1}) {
                int code =
                        Cudart.cudaPointerGetAttributes(
                                attributes, memory.slice(offset, 1).pointer());
                if (code != 0) {
                    throw failure(code, "cudaPointerGetAttributes", "byte " + offset);
                }
                requireOurs(attributes, offset);
            }
        }
    }

    private void requireOurs(MemorySegment attributes, long offset) {
        int type = cudaPointerAttributes.type(attributes);
        int owner = cudaPointerAttributes.device(attributes);
        boolean isDevices = type == Cudart.cudaMemoryTypeDevice();
        if (type == Cudart.cudaMemoryTypeManaged() || (isDevices && owner == ordinal)) {
            return;
        }
        String what =
                isDevices
                        ? "memory of device " + owner
                        : type == Cudart.cudaMemoryTypeHost()
                                ? "memory of the host"
                                : "not memory of a device";
        throw new IllegalArgumentException(
                "byte " + offset + " of the target for device " + ordinal + " is " + what);
    }

    /** {@return CUDA's number of the device} */
    public int ordinal() {
        return ordinal;
    }

    /** {@return the properties of the device} */
    public Properties properties() {
        return properties;
    }

    /** {@return the thread that makes all of its calls} */
    public DeviceThread thread() {
        return thread;
    }

    /**
     * {@return the sticky error that made the device unusable for this process, or empty if it
     * works}
     */
    public Optional<CudaException> loss() {
        return Optional.ofNullable(loss);
    }

    void streamOpened(CudaStream stream) {
        streams.add(stream);
    }

    void streamClosed(CudaStream stream) {
        streams.remove(stream);
    }

    /**
     * Waits for all work in the streams that were opened on this device. Unlike {@link
     * #synchronize}, it may be called while a stream of somebody else captures a graph.
     *
     * @throws CudaException if any of it failed
     */
    void synchronizeStreams() throws CudaException {
        for (CudaStream stream : streams) {
            stream.synchronize();
        }
    }

    /**
     * Waits for all work that was queued on the device, by anybody.
     *
     * @throws CudaException if any of it failed; or if a stream captures a graph, which becomes
     *     invalid
     */
    public void synchronize() throws CudaException {
        thread.check();
        check(Cudart.cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }

    /** Notes that the device does not answer. This process cannot open it again. */
    public void giveUp() {
        HUNG.add(ordinal);
    }

    /** Returns if a call's result is cudaSuccess, and throws otherwise. */
    void check(int code, String call) throws CudaException {
        if (code != 0) {
            throw failure(code, call, "");
        }
    }

    /**
     * Creates the exception for a call that failed on this device, and keeps a sticky error. Also
     * for calls into libraries that use the device and return CUDA errors.
     *
     * @param code the result of the call
     * @param call the C function
     * @param subject the arguments or object, for the message; may be empty
     * @return the exception, to be thrown by the caller
     */
    public CudaException failure(int code, String call, String subject) {
        CudaException failure = new CudaException(call, "device " + ordinal + comma(subject), code);
        if (failure.error().isSticky() && loss == null) {
            loss = failure;
        }
        Cudart.cudaGetLastError(); // clears it: other libraries would report our error
        return failure;
    }

    private static String comma(String subject) {
        return subject.isEmpty() ? "" : ", " + subject;
    }

    /** Ends the device's thread. Owners must close memory, streams and events themselves. */
    @Override
    public void close() {
        thread.close();
    }
}
