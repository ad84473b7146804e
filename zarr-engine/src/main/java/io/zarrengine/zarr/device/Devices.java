package io.zarrengine.zarr.device;

import io.zarrengine.cuda.CudaRuntime;
import io.zarrengine.cuda.DeviceSlice;
import io.zarrengine.cuda.GpuDirectStorage;
import io.zarrengine.nvcomp.NvcompLibrary;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.pipeline.ChunkPipelines;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The devices of an engine, each opened when it is first asked for.
 *
 * <p>Owner: the engine, which closes it when its workers are gone. Threads: any.
 */
public final class Devices implements AutoCloseable {
    private final Executor workers;
    private final DeviceOptions options;
    private final FileAccess files;
    private final Map<Integer, DeviceExecutor> open = new ConcurrentHashMap<>();
    private volatile boolean closed; // written under this

    /**
     * Opens nothing yet.
     *
     * @param workers read, and decode what devices do not
     * @param options of each device
     * @param files opened the chunk files, outlives the devices
     * @param mapping which of them are mapped for devices
     * @param pinnedBytesMax how much of those is kept in memory
     */
    public Devices(
            Executor workers,
            DeviceOptions options,
            ReadBackend files,
            MappingRule mapping,
            long pinnedBytesMax) {
        this.workers = workers;
        this.options = options;
        this.files =
                new FileAccess(files::version, mapping, new MemoryBudget(pinnedBytesMax, () -> {}));
    }

    /** {@return why no device can be used here, or empty if one can} */
    public static Optional<String> unavailabilityCause() {
        try {
            return CudaRuntime.status() instanceof CudaRuntime.Status.Unusable unusable
                    ? Optional.of(unusable.reason())
                    : Optional.of(NvcompLibrary.unavailabilityCause())
                            .filter(cause -> !cause.isEmpty());
        } catch (NoClassDefFoundError e) {
            return Optional.of(
                    "the modules io.zarrengine.cuda and io.zarrengine.nvcomp are missing");
        }
    }

    /** {@return why no device reads files itself here, or empty if one can} */
    public static Optional<String> directReadUnavailabilityCause() {
        Optional<String> cause = unavailabilityCause();
        if (cause.isPresent()) {
            return cause;
        }
        return GpuDirectStorage.status() instanceof GpuDirectStorage.Status.Unusable unusable
                ? Optional.of(unusable.reason())
                : Optional.empty();
    }

    /**
     * Checks that a device can read files itself.
     *
     * @throws UnsupportedOperationException if none can, saying why
     */
    public static void requireDirectReads() {
        directReadUnavailabilityCause()
                .ifPresent(cause -> {
                    throw new UnsupportedOperationException("GPUDirect Storage: " + cause);
                });
    }

    private DeviceExecutor get(int ordinal) {
        DeviceExecutor known = closed ? null : open.get(ordinal);
        return known == null ? opened(ordinal) : known;
    }

    private synchronized DeviceExecutor opened(int ordinal) {
        if (closed) {
            throw ClosedException.ofEngine();
        }
        return open.computeIfAbsent(ordinal, this::openOne);
    }

    private DeviceExecutor openOne(int ordinal) {
        String name = "cuda:" + ordinal;
        unavailabilityCause()
                .ifPresent(cause -> {
                    throw new DeviceUnavailableException(name, cause, null);
                });
        try {
            return DeviceExecutor.open(
                    ordinal, options, workers.options(), () -> Math.max(1, open.size()), files);
        } catch (IOException e) {
            throw new DeviceUnavailableException(name, e.getMessage(), e);
        }
    }

    /**
     * Starts a read to new memory.
     *
     * @param ordinal which device
     * @param job what to read
     * @return the read
     * @throws DeviceUnavailableException if there is no such device
     */
    public DeviceReading read(int ordinal, DeviceReading.Job job) {
        DeviceReading reading = new DeviceReading(workers, get(ordinal), job, null);
        reading.start();
        return reading;
    }

    /**
     * Starts a read to memory of the caller's.
     *
     * @param ordinal which device
     * @param job what to read
     * @param pointer where the elements go on the device
     * @return the read
     * @throws DeviceUnavailableException if there is no such device
     */
    public DeviceReading read(int ordinal, DeviceReading.Job job, long pointer) {
        DeviceSlice target = new DeviceSlice(pointer, job.bytes());
        DeviceReading reading = new DeviceReading(workers, get(ordinal), job, target);
        reading.start();
        return reading;
    }

    /**
     * {@return why a read goes to memory of the host first, or empty if its chunks go to the
     * device}
     *
     * @param plan the chunks
     * @param bytes the size of the result
     * @param pipelines how they are encoded
     */
    public Optional<String> hostReason(ChunkPlan plan, long bytes, ChunkPipelines pipelines) {
        return HostWay.reason(plan, bytes, pipelines.largest(), options);
    }

    /**
     * {@return what a device has done, or empty if it was never used}
     *
     * @param ordinal which device
     */
    public Optional<DeviceCounters> counters(int ordinal) {
        return Optional.ofNullable(open.get(ordinal)).map(DeviceExecutor::counters);
    }

    /** Waits until nothing is under way, and gives the devices up. */
    @Override
    public void close() {
        List<DeviceExecutor> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(open.values());
        }
        all.forEach(DeviceExecutor::close);
    }

    static Throwable cause(Throwable failure) {
        return failure == null ? null : DeviceReading.unwrapped(failure);
    }

    /** Waits, also through an interrupt: the device may still write. */
    static void join(CompletableFuture<Void> done) {
        try {
            done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
