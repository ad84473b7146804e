package io.zarrengine.zarr;

import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.device.DeviceOptions;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.execute.Executor;

/** What the builder of an engine was told of its devices. Owner: the builder. */
final class DeviceSettings {
    /** Of what the page cache may take, devices keep one part of so many in memory. */
    private static final int PINNED_SHARE = 8;

    private long budgetBytes;
    private long pinnedFileBytes = -1; // a share of what there is
    private boolean decodesUnchecked = true;
    private MappingRule mapping; // null: as for the host
    private DeviceOptions options; // null: they follow from the budget and the workers

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

    void options(DeviceOptions newOptions) {
        options = newOptions;
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

    /** {@code readDirectly}: whether they read around the host's memory. */
    Devices devices(Executor executor, ReadBackend backend, boolean readDirectly) {
        int workers = executor.options().workers();
        DeviceOptions wanted =
                (options == null ? DeviceOptions.of(budgetBytes, workers) : options)
                        .decodingUnchecked(decodesUnchecked);
        return new Devices(
                executor,
                readDirectly
                        ? wanted.readingDirectly(executor.options().largeBytesMax() / 2)
                        : wanted,
                backend,
                mapping == null ? backend.mapping() : mapping,
                pinnedFileBytes < 0 ? backend.cacheBytes() / PINNED_SHARE : pinnedFileBytes);
    }
}
