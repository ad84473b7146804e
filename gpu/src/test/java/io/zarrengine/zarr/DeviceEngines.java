package io.zarrengine.zarr;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.zarrengine.gpu.CudaProvider;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.uring.Caching;
import io.zarrengine.uring.FileHandle;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.execute.QueueFactory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Opens engines for tests of a GPU. */
public final class DeviceEngines {
    /** Small slots and batches, so that small arrays fill several. The CPU decodes nothing. */
    static final DeviceOptions SMALL = small(0);

    private DeviceEngines() {}

    /** Parts of chunks that are smaller than {@code partBytesMin} go to the host first. */
    static DeviceOptions small(long partBytesMin) {
        return new DeviceOptions(
                256L << 20, 8, 256 << 10, 64, 4L << 20, 0, partBytesMin, 0, true, false);
    }

    /** Skips a test if there is no GPU, unless {@code -Dio.zarrengine.gpu=required}. */
    public static void needDevice() {
        var cause = missing();
        assumeTrue(cause.isEmpty(), () -> cause.orElse(""));
    }

    /**
     * Returns the reason for a missing GPU, or empty. Throws with {@code
     * -Dio.zarrengine.gpu=required}.
     */
    static Optional<String> missing() {
        var cause = ZarrEngine.deviceUnavailabilityCause();
        if (cause.isPresent() && "required".equals(System.getProperty("io.zarrengine.gpu"))) {
            throw new IllegalStateException(cause.get());
        }
        return cause;
    }

    /** {@return an engine whose GPU decodes all it can} */
    public static ZarrEngine open() {
        return open(SMALL);
    }

    /**
     * Opens an engine that compares no checksums, so that the GPU also decodes chunks with
     * checksums.
     */
    static ZarrEngine openUnverified() {
        return ZarrEngine.builder()
                .workers(2)
                .deviceProvider(new CudaProvider(SMALL))
                .verifyChecksums(false)
                .open();
    }

    /**
     * Opens an engine whose GPU reads files directly; skips a test if direct reads are not
     * possible.
     */
    static ZarrEngine openDirect(DeviceOptions options) {
        var cause = new CudaProvider().directReadUnavailabilityCause();
        assumeTrue(cause.isEmpty(), () -> cause.orElse(""));
        return ZarrEngine.builder()
                .workers(4)
                .deviceProvider(new CudaProvider(options))
                .io(ZarrEngine.Io.GDS)
                .open();
    }

    /** Opens an engine whose GPU copies from all files by itself, from the first request on. */
    static ZarrEngine openMapping(DeviceOptions options, long pinnedFileBytes) {
        return openMapping(options, pinnedFileBytes, 4);
    }

    static ZarrEngine openMapping(DeviceOptions options, long pinnedFileBytes, int workers) {
        return ZarrEngine.builder()
                .workers(workers)
                .deviceProvider(new CudaProvider(options))
                .deviceMapping(new MappingRule(1, true))
                .pinnedFileBytes(pinnedFileBytes)
                .open();
    }

    /**
     * Opens an engine that reads around the page cache; skips a test if the file does not support
     * that.
     */
    static ZarrEngine openAroundCache(DeviceOptions options, Path file) throws IOException {
        return openAroundCache(options, file, UnaryOperator.identity());
    }

    /** {@code queues} wraps the read queues of the workers. */
    static ZarrEngine openAroundCache(
            DeviceOptions options, Path file, UnaryOperator<QueueFactory> queues)
            throws IOException {
        try (ReadBackend backend = ReadBackend.best()) {
            FileHandle handle = backend.open(file, Caching.DIRECT);
            boolean isAround = handle.caching() == Caching.DIRECT;
            handle.release();
            assumeTrue(isAround, "the file system refuses O_DIRECT");
        }
        return ZarrEngine.builder()
                .workers(4)
                .deviceProvider(new CudaProvider(options))
                .caching(Caching.DIRECT)
                .queues(queues)
                .open();
    }

    static ZarrEngine open(DeviceOptions options) {
        return ZarrEngine.builder().workers(4).deviceProvider(new CudaProvider(options)).open();
    }
}
