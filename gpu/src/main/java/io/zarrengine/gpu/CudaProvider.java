package io.zarrengine.gpu;

import io.zarrengine.cuda.CudaRuntime;
import io.zarrengine.cuda.GpuDirectStorage;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.nvcomp.NvcompLibrary;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.device.DeviceSetup;
import io.zarrengine.zarr.device.Devices;
import java.util.Optional;

/** Opens NVIDIA GPUs for engines. Threads: any. */
public final class CudaProvider implements DeviceProvider {
    private final DeviceOptions fixed; // null: derived from the engine's setup

    /** Constructor for {@link java.util.ServiceLoader}. */
    public CudaProvider() {
        this(null);
    }

    /**
     * Creates a provider with fixed options, for tests.
     *
     * @param options options of each GPU; null: derived from the engine's setup
     */
    public CudaProvider(DeviceOptions options) {
        fixed = options;
    }

    static Optional<String> cause() {
        return CudaRuntime.status() instanceof CudaRuntime.Status.Unusable unusable
                ? Optional.of(unusable.reason())
                : Optional.of(NvcompLibrary.unavailabilityCause())
                        .filter(cause -> !cause.isEmpty());
    }

    @Override
    public Optional<String> unavailabilityCause() {
        return cause();
    }

    @Override
    public Optional<String> directReadUnavailabilityCause() {
        Optional<String> cause = cause();
        if (cause.isPresent()) {
            return cause;
        }
        return GpuDirectStorage.status() instanceof GpuDirectStorage.Status.Unusable unusable
                ? Optional.of(unusable.reason())
                : Optional.empty();
    }

    @Override
    public Devices open(DeviceSetup setup) {
        DeviceOptions options =
                fixed == null ? DeviceOptions.of(setup.budgetBytes(), setup.workerCount()) : fixed;
        options = options.decodingUnchecked(setup.decodesUnchecked());
        return new CudaDeviceRegistry(
                setup,
                setup.readsDirectly()
                        ? options.readingDirectly(setup.largeBytesMax() / 2)
                        : options);
    }
}
