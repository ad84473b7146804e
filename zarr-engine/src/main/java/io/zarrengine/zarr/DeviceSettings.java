package io.zarrengine.zarr;

import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.device.DeviceSetup;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.device.LazyDevices;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.execute.ExecutorOptions;
import java.util.function.Supplier;

/** The options of an engine's devices. Owner: the builder. */
final class DeviceSettings {
    /** Devices pin at most 1/PINNED_SHARE of the bytes that the page cache may take. */
    private static final int PINNED_SHARE = 8;

    private long budgetBytes;
    private long pinnedFileBytes = -1; // negative: a share of the page cache
    private boolean decodesUnchecked = true;
    private MappingRule mapping; // null: as for the host
    private Supplier<DeviceProvider> provider = DeviceProvider::find;

    void budgetBytes(long bytes) {
        budgetBytes = bytes;
    }

    void pinnedFileBytes(long bytes) {
        pinnedFileBytes = bytes;
    }

    void decodesUnchecked(boolean decodes) {
        decodesUnchecked = decodes;
    }

    void mapping(MappingRule rule) {
        mapping = rule;
    }

    void provider(DeviceProvider newProvider) {
        provider = () -> newProvider;
    }

    /**
     * Checks that a device can read files itself.
     *
     * @throws UnsupportedOperationException if none can; the message says why
     */
    void requireDirectReads() {
        provider.get()
                .directReadUnavailabilityCause()
                .ifPresent(cause -> {
                    throw new UnsupportedOperationException("GPUDirect Storage: " + cause);
                });
    }

    @Override
    public String toString() {
        return "deviceBudgetBytes %s, pinnedFileBytes %s, decodeUncheckedOnDevices %b"
                .formatted(
                        budgetBytes == 0 ? "half of what is free" : budgetBytes,
                        pinnedFileBytes < 0
                                ? "1/" + PINNED_SHARE + " of the page cache"
                                : pinnedFileBytes,
                        decodesUnchecked);
    }

    /**
     * Creates the devices. {@code readDirectly}: whether they read files bypassing the host's
     * memory.
     */
    Devices devices(Executor executor, ReadBackend backend, boolean readDirectly) {
        ExecutorOptions host = executor.options();
        DeviceSetup setup =
                new DeviceSetup(
                        executor,
                        host.workers(),
                        host.largeBytesMax(),
                        host.verifiesChecksums(),
                        decodesUnchecked,
                        budgetBytes,
                        backend,
                        mapping == null ? backend.mapping() : mapping,
                        pinnedFileBytes < 0 ? backend.cacheBytes() / PINNED_SHARE : pinnedFileBytes,
                        readDirectly);
        return new LazyDevices(provider, setup);
    }
}
