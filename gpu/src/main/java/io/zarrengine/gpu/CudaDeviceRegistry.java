package io.zarrengine.gpu;

import io.zarrengine.gpu.file.FileAccess;
import io.zarrengine.gpu.read.CudaReading;
import io.zarrengine.gpu.read.DeviceExecutor;
import io.zarrengine.gpu.read.HostReasons;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.device.DeviceCounters;
import io.zarrengine.zarr.device.DeviceJob;
import io.zarrengine.zarr.device.DeviceReading;
import io.zarrengine.zarr.device.DeviceSetup;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.device.TargetAddress;
import io.zarrengine.zarr.errors.ClosedException;
import io.zarrengine.zarr.errors.DeviceUnavailableException;
import io.zarrengine.zarr.memory.MemoryBudget;
import io.zarrengine.zarr.pipeline.ArrayPipeline;
import io.zarrengine.zarr.plan.ChunkPlan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** NVIDIA GPUs. Each is opened on its first use. */
final class CudaDeviceRegistry implements Devices {
    private final DeviceSetup setup;
    private final DeviceOptions options;
    private final FileAccess files;
    private final Map<Integer, DeviceExecutor> open = new ConcurrentHashMap<>();
    private volatile boolean closed; // writes are guarded by this

    /** Creates the registry and opens no GPU. {@code options} apply to each device. */
    CudaDeviceRegistry(DeviceSetup setup, DeviceOptions options) {
        this.setup = setup;
        this.options = options;
        this.files =
                new FileAccess(
                        setup.files()::version,
                        setup.mapping(),
                        new MemoryBudget(setup.pinnedBytesMax(), () -> {}));
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
        CudaProvider.cause()
                .ifPresent(cause -> {
                    throw new DeviceUnavailableException(name, cause, null);
                });
        try {
            return DeviceExecutor.open(
                    ordinal, options, setup, () -> Math.max(1, open.size()), files);
        } catch (IOException e) {
            throw new DeviceUnavailableException(name, e.getMessage(), e);
        }
    }

    @Override
    public DeviceReading read(int ordinal, DeviceJob job) {
        return started(new CudaReading(setup.workers(), get(ordinal), job, null));
    }

    @Override
    public DeviceReading read(int ordinal, DeviceJob job, TargetAddress target) {
        return started(new CudaReading(setup.workers(), get(ordinal), job, target));
    }

    private static CudaReading started(CudaReading reading) {
        reading.start();
        return reading;
    }

    @Override
    public Optional<String> hostReason(ChunkPlan plan, long bytes, ArrayPipeline pipelines) {
        return HostReasons.reason(plan, bytes, pipelines.largest(), options);
    }

    @Override
    public Optional<DeviceCounters> counters(int ordinal) {
        return Optional.ofNullable(open.get(ordinal)).map(DeviceExecutor::counters);
    }

    @Override
    public void close() {
        List<DeviceExecutor> all;
        synchronized (this) {
            closed = true;
            all = new ArrayList<>(open.values());
        }
        all.forEach(DeviceExecutor::close);
    }
}
