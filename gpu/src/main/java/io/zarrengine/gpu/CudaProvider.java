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
    /**
     * With {@code fixed} a GPU decodes and launches by the fixed twins of the {@code tuning} rules,
     * to measure what the rules gain.
     */
    private static final String RULES = "io.zarrengine.gpu.rules";

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

    private static DeviceOptions defaults(DeviceSetup setup) {
        DeviceOptions options = DeviceOptions.of(setup.budgetBytes(), setup.workerCount());
        return "fixed".equals(System.getProperty(RULES)) ? options.withFixedRules() : options;
    }

    @Override
    public Devices open(DeviceSetup setup) {
        DeviceOptions options = fixed == null ? defaults(setup) : fixed;
        options = options.decodingUnchecked(setup.decodesUnchecked());
        return new CudaDeviceRegistry(
                setup,
                setup.readsDirectly()
                        ? options.readingDirectly(setup.largeBytesMax() / 2)
                        : options);
    }
}
