package io.zarrengine.zarr;

import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.diskcache.DiskCache;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.memory.ResultMemory;
import io.zarrengine.zarr.objectstore.RequestMetrics;
import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.OpenChunkFiles;
import io.zarrengine.zarr.store.Store;
import io.zarrengine.zarr.store.UrlStores;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The resources of an engine that its arrays, groups and writers share: threads, memory, files,
 * options.
 *
 * <p>Owner: the engine. Threads: any.
 */
final class EngineResources implements AutoCloseable {
    private final Executor executor;
    private final ReadBackend backend;
    private final Devices devices;
    private final Optional<DiskCache> diskCache;
    private final ArrayOptions options;
    private final ResultMemory results;
    private final OpenChunkFiles chunkFiles = new OpenChunkFiles();
    private UrlStores stores; // null until a URL is opened; guarded by this

    /** Takes ownership of all but the options of its arrays. */
    EngineResources(
            Executor executor,
            ReadBackend backend,
            Devices devices,
            Optional<DiskCache> diskCache,
            ArrayOptions options) {
        this.executor = executor;
        this.backend = backend;
        this.devices = devices;
        this.diskCache = diskCache;
        this.options = options;
        diskCache.ifPresent(cache -> cache.onClosed(executor::forgetFiles));
        this.results = new ResultMemory(executor.options().resultBytesMax());
    }

    Executor executor() {
        return executor;
    }

    /** Returns the backend. Throws if the engine is closed. */
    ReadBackend backend() {
        executor.requireOpen();
        return backend;
    }

    ReadBackend.Method readMethod() {
        return backend.method();
    }

    Devices devices() {
        return devices;
    }

    /** {@return keeps on disk what stores have read; empty if nothing does} */
    Optional<DiskCache> diskCache() {
        return diskCache;
    }

    DataTypes dataTypes() {
        return options.dataTypes();
    }

    List<CodecProvider> codecProviders() {
        return options.codecProviders();
    }

    boolean fillsMissing() {
        return options.fillsMissing();
    }

    /** {@return new memory for a result} */
    HostTensor newTensor(DataType type, long[] shape, long bytes) {
        return new HostTensor(
                type, shape, HostTensor.allocate(results::allocate, type, shape, bytes));
    }

    ChunkFiles newChunkFiles(Store store, Path root) {
        return new ChunkFiles(backend(), options.caching(), chunkFiles, store, root);
    }

    /** {@return the chunk files that arrays have open} */
    OpenChunkFiles chunkFiles() {
        return chunkFiles;
    }

    /** {@return the stores of URLs} */
    synchronized UrlStores stores() {
        executor.requireOpen();
        if (stores == null) {
            stores = new UrlStores();
        }
        return stores;
    }

    /** {@return counters of the requests to the stores of URLs} */
    synchronized RequestMetrics requestMetrics() {
        return stores == null ? RequestMetrics.NONE : stores.metrics();
    }

    private synchronized void closeStores() {
        if (stores != null) {
            stores.close();
        }
    }

    @Override
    public void close() {
        executor.close();
        chunkFiles.close();
        results.close();
        devices.close(); // After the executor, whose workers use the devices.
        diskCache.ifPresent(DiskCache::close);
        backend.close();
        closeStores();
    }
}
