package io.zarrengine.zarr;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.diskcache.DiskCache;
import io.zarrengine.zarr.diskcache.DiskCacheCounters;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.execute.ExecutorOptions;
import io.zarrengine.zarr.json.JsonValues;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.metadata.MetadataReader;
import io.zarrengine.zarr.metadata.MetadataWriter;
import io.zarrengine.zarr.metadata.NodeMetadata;
import io.zarrengine.zarr.objectstore.MemoryStore;
import io.zarrengine.zarr.objectstore.ObjectStore;
import io.zarrengine.zarr.store.DocumentChange;
import io.zarrengine.zarr.store.DocumentLocks;
import io.zarrengine.zarr.store.LocalPaths;
import io.zarrengine.zarr.store.ObjectTree;
import io.zarrengine.zarr.store.StoredNode;
import io.zarrengine.zarr.store.UrlStores;
import java.net.URI;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.Lock;

/**
 * Reads and writes Zarr. Owns the threads and the memory for reading. One engine serves a whole
 * program.
 *
 * <p>Owner: the caller that opened it; it outlives its arrays. Threads: any.
 */
public final class ZarrEngine implements AutoCloseable {
    /** The method of reading files. */
    public enum Io {
        /** The best method that works on this machine. */
        AUTO,
        /** io_uring. */
        URING,
        /** preadv(2) on a pool of threads. */
        PREAD,
        /** The JDK's {@code FileChannel} on a pool of threads. */
        CHANNEL,
        /**
         * Like {@link #AUTO}, but uncompressed chunks that go to a GPU are read to its memory with
         * GPUDirect Storage (cuFile), bypassing host memory. Meant for large chunks on a drive.
         */
        GDS
    }

    private final EngineResources resources;

    ZarrEngine(ZarrEngineBuilder builder) {
        ExecutorOptions options =
                ExecutorOptions.divide(builder.workers, builder.budgetBytes)
                        .verifyingChecksums(builder.verifyChecksums)
                        .keepingChunks(builder.chunkCacheBytes);
        if (builder.io == Io.GDS) {
            builder.devices.requireDirectReads();
        }
        ReadBackend backend =
                switch (builder.io) {
                    case AUTO, GDS -> ReadBackend.best();
                    case URING -> ReadBackend.of(ReadBackend.Method.IO_URING);
                    case PREAD -> ReadBackend.of(ReadBackend.Method.PREADV);
                    case CHANNEL -> ReadBackend.of(ReadBackend.Method.FILE_CHANNEL);
                };
        Optional<DiskCache> diskCache = builder.diskCache.open(backend, builder.caching);
        try {
            resources = resources(builder, options, backend, diskCache);
        } catch (RuntimeException | Error e) {
            diskCache.ifPresent(DiskCache::close);
            throw e;
        }
    }

    private static EngineResources resources(
            ZarrEngineBuilder builder,
            ExecutorOptions options,
            ReadBackend backend,
            Optional<DiskCache> diskCache) {
        // With FileChannel a caller cannot read without a pool, and an interrupt of its thread
        // would close the channel.
        boolean callersRead = builder.callersRead && !backend.isChannel();
        Executor executor =
                new Executor(
                        builder.queues.apply(backend::newQueue),
                        callersRead ? backend : null,
                        options);
        try {
            Devices devices = builder.devices.devices(executor, backend, builder.io == Io.GDS);
            ArrayOptions arrays =
                    new ArrayOptions(
                            builder.caching,
                            DataTypes.with(builder.dataTypes),
                            List.copyOf(builder.codecs),
                            builder.missingChunks == MissingChunks.FILL);
            return new EngineResources(executor, backend, devices, diskCache, arrays);
        } catch (RuntimeException | Error e) {
            executor.close();
            throw e;
        }
    }

    /** {@return an engine with a worker for each core and a budget of 1 GiB} */
    public static ZarrEngine open() {
        return builder().open();
    }

    /** {@return a builder of engines with default options} */
    public static ZarrEngineBuilder builder() {
        return new ZarrEngineBuilder();
    }

    /**
     * {@return the array at a path}
     *
     * @param path its folder; or a zip file, followed by names inside it: {@code x.zip/a}
     * @throws NodeNotFoundException if there is no array
     * @throws FormatException if its metadata is not valid, or uses something unknown
     * @throws ZarrException if it cannot be read
     */
    public ZarrArray openArray(Path path) {
        return requireArray(open(path));
    }

    /**
     * {@return the group at a path}
     *
     * @param path its folder; or a zip file, followed by names inside it: {@code x.zip/a}
     * @throws NodeNotFoundException if there is no group
     * @throws FormatException if its metadata is not valid
     * @throws ZarrException if it cannot be read
     */
    public ZarrGroup openGroup(Path path) {
        if (open(path) instanceof ZarrGroup group) {
            return group;
        }
        throw new NodeNotFoundException(path.toString(), "is an array, not a group");
    }

    /**
     * {@return the array or group at a path}
     *
     * @param path its folder; or a zip file, followed by names inside it: {@code x.zip/a}
     * @throws NodeNotFoundException if there is neither
     * @throws FormatException if its metadata is not valid, or uses something unknown
     * @throws ZarrException if it cannot be read
     */
    public ZarrNode open(Path path) {
        Path absolute = absolute(path);
        return ZarrGroup.node(resources, absolute, stored(absolute));
    }

    /**
     * {@return the array at a URL}
     *
     * @param url {@code https://host/path}, {@code s3://bucket/path}, {@code memory://name/path},
     *     {@code file:///path} or others that modules on the path read; a query of {@code https:}
     *     is sent with each request, and no message repeats it; a name in the path that ends in
     *     {@code .zip} or {@code .ozx} may be a zip file, followed by names inside it
     * @throws NodeNotFoundException if there is no array
     * @throws FormatException if its metadata is not valid, or uses something unknown
     * @throws ZarrException if it cannot be read, or if nothing here reads such URLs
     * @throws IllegalArgumentException if the URL has no host, has a fragment, or has a query and
     *     is not of {@code http:} or {@code https:}
     */
    public ZarrArray openArray(URI url) {
        return requireArray(open(url));
    }

    /**
     * {@return the array or group at a URL}
     *
     * @param url {@code https://host/path}, {@code s3://bucket/path}, {@code memory://name/path},
     *     {@code file:///path} or others that modules on the path read; a query of {@code https:}
     *     is sent with each request, and no message repeats it; a name in the path that ends in
     *     {@code .zip} or {@code .ozx} may be a zip file, followed by names inside it
     * @throws NodeNotFoundException if there is neither
     * @throws FormatException if its metadata is not valid, or uses something unknown
     * @throws ZarrException if it cannot be read, or if nothing here reads such URLs
     * @throws IllegalArgumentException if the URL has no host, has a fragment, or has a query and
     *     is not of {@code http:} or {@code https:}
     */
    public ZarrNode open(URI url) {
        if (url.getScheme() == null || url.getScheme().equals("file")) {
            return open(url.getScheme() == null ? Path.of(url.getPath()) : Path.of(url));
        }
        boolean hasQuery =
                url.getRawQuery() != null
                        && !url.getScheme().toLowerCase(Locale.ROOT).startsWith("http");
        if (url.getAuthority() == null || url.getRawFragment() != null || hasQuery) {
            throw new IllegalArgumentException(
                    UrlStores.nameOf(url, url.getPath())
                            + ": expected scheme://host/path, without #; only http: and https: have"
                            + " queries");
        }
        return open(resources.stores().of(url), url.getPath());
    }

    /**
     * {@return the array at a path of a store}
     *
     * @param store the caller's; it outlives the array
     * @param path names joined by slashes; empty for the root of the store; a name that ends in
     *     {@code .zip} or {@code .ozx} may be a zip file, followed by names inside it
     * @throws NodeNotFoundException if there is no array
     * @throws FormatException if its metadata is not valid, or uses something unknown
     * @throws ZarrException if it cannot be read
     */
    public ZarrArray openArray(ObjectStore store, String path) {
        return requireArray(open(store, path));
    }

    /**
     * {@return the array or group at a path of a store}
     *
     * @param store the caller's; it outlives the node
     * @param path names joined by slashes; empty for the root of the store; a name that ends in
     *     {@code .zip} or {@code .ozx} may be a zip file, followed by names inside it
     * @throws NodeNotFoundException if there is neither
     * @throws FormatException if its metadata is not valid, or uses something unknown
     * @throws ZarrException if it cannot be read
     */
    public ZarrNode open(ObjectStore store, String path) {
        ObjectTree tree = new ObjectTree(store, resources.diskCache());
        Path absolute = tree.path(path);
        resources.executor().requireOpen();
        return ZarrGroup.node(
                resources, absolute, StoredNode.in(tree, absolute, resources.dataTypes()));
    }

    private static ZarrArray requireArray(ZarrNode node) {
        if (node instanceof ZarrArray array) {
            return array;
        }
        throw new NodeNotFoundException(node.path().toString(), "is a group, not an array");
    }

    private Path absolute(Path path) {
        LocalPaths.require(Objects.requireNonNull(path, "the path is null"));
        return resources.backend().absolute(path);
    }

    private StoredNode stored(Path path) {
        return StoredNode.at(path, resources.backend(), resources.dataTypes());
    }

    /**
     * Creates an array by writing its metadata.
     *
     * @param path its folder; created if missing
     * @param metadata the array's metadata
     * @return a writer of its chunks
     * @throws FormatException if its codecs do not fit together, or cannot be written
     * @throws StoreException if there is already a node, or the document cannot be written
     */
    public ArrayWriter createArray(Path path, ArrayMetadata metadata) {
        return ArrayWriter.create(
                resources,
                absolute(path),
                metadata,
                document -> MetadataWriter.write(document, metadata));
    }

    /**
     * Creates an array in memory, for tests and tools.
     *
     * @param store gets its metadata and chunks
     * @param key names joined by slashes; empty for the root of the store
     * @param metadata the array's metadata
     * @return a writer of its chunks
     * @throws FormatException if its codecs do not fit together, or cannot be written
     * @throws StoreException if there is already a node
     */
    public ArrayWriter createArray(MemoryStore store, String key, ArrayMetadata metadata) {
        return ArrayWriter.create(resources, store, ObjectTree.key(store, key), metadata);
    }

    /**
     * Opens an array to write missing chunks or to replace existing ones. Its document is not
     * changed, even if another program wrote it. A chunk, or a shard of a sharded array, is written
     * as a whole, and its old content is lost.
     *
     * @param path its folder
     * @return a writer of its chunks
     * @throws NodeNotFoundException if there is no array
     * @throws FormatException if its metadata is not valid, is of version 2, or names codecs that
     *     can only be read
     * @throws ZarrException if its metadata cannot be read
     */
    public ArrayWriter openWriter(Path path) {
        Path absolute = absolute(path);
        return ArrayWriter.open(resources, absolute, stored(absolute));
    }

    /**
     * Replaces the attributes of an array or a group. All else in its document stays. Nodes that
     * are open keep the old ones. Threads of this process that change a document at once take
     * turns. If several processes do, the last one wins.
     *
     * @param path its folder
     * @param attributes JSON values, or numbers and arrays that can be converted to them
     * @throws NodeNotFoundException if there is neither
     * @throws IllegalArgumentException if one is not a JSON value
     * @throws FormatException if one that is new holds NaN, an infinity, or text with half a
     *     surrogate pair; or if the document is of version 2
     * @throws StoreException if the document cannot be written
     */
    public void setAttributes(Path path, Map<String, Object> attributes) {
        Path absolute = absolute(path);
        Lock lock = DocumentLocks.of(absolute);
        lock.lock();
        try {
            replaceAttributes(absolute, attributes);
        } finally {
            lock.unlock();
        }
    }

    private void replaceAttributes(Path absolute, Map<String, Object> attributes) {
        StoredNode stored = stored(absolute);
        stored.requireWritable(absolute);
        NodeMetadata metadata = stored.metadata();
        Map<String, Object> values = JsonValues.inMap("attribute", attributes);
        Map<String, Object> changed = new LinkedHashMap<>(values);
        if (metadata.attributesProblem().isEmpty()) {
            changed.entrySet().removeAll(metadata.attributes().entrySet());
        }
        MetadataWriter.check(stored.document().toString(), changed);
        DocumentChange.of(stored, "attributes", values, resources.dataTypes()).write(() -> {});
    }

    /**
     * Creates a group by writing its metadata.
     *
     * @param path its folder; created if missing
     * @param metadata its attributes
     * @return the group
     * @throws FormatException if it cannot be written
     * @throws StoreException if there is already a node, or the document cannot be written
     */
    public ZarrGroup createGroup(Path path, GroupMetadata metadata) {
        Path absolute = absolute(path);
        Path document = StoredNode.create(absolute, name -> MetadataWriter.write(name, metadata));
        return new ZarrGroup(
                resources, absolute, StoredNode.ofNew(document, metadata.attributes()));
    }

    /**
     * Creates an array or a group by writing its document as it is given.
     *
     * @param path its folder; created if missing
     * @param document {@code zarr.json}, in UTF-8
     * @throws FormatException if it is not valid, or its codecs cannot be written
     * @throws StoreException if there is already a node, or the document cannot be written
     */
    public void create(Path path, byte[] document) {
        Path absolute = absolute(path);
        String name = absolute.toString();
        switch (MetadataReader.read(name, document, resources.dataTypes())) {
            case ArrayMetadata array ->
                    ArrayWriter.create(resources, absolute, array, _ -> document.clone());
            case GroupMetadata _ -> StoredNode.create(absolute, _ -> document.clone());
        }
    }

    /**
     * {@return the method of reading files to the host: {@link Io#URING}, {@link Io#PREAD} or
     * {@link Io#CHANNEL}}
     */
    public Io io() {
        return switch (resources.readMethod()) {
            case IO_URING -> Io.URING;
            case PREADV -> Io.PREAD;
            case FILE_CHANNEL -> Io.CHANNEL;
        };
    }

    /** {@return the number of workers} */
    public int workers() {
        return resources.executor().options().workers();
    }

    /** {@return counters of the engine's work so far} */
    public EngineMetrics metrics() {
        Executor executor = resources.executor();
        DiskCacheCounters onDisk =
                resources.diskCache().map(DiskCache::counters).orElse(DiskCacheCounters.NONE);
        return EngineMetrics.of(
                executor.metrics().snapshot(),
                executor.queueDepths(),
                onDisk,
                resources.requestMetrics());
    }

    /**
     * Fails the reads that are under way, waits until no thread writes to their targets, and frees
     * everything, including the files of arrays that were not closed.
     */
    @Override
    public void close() {
        resources.close();
        LeakWatch.lookIfTracing();
    }

    /** {@return the reason why this machine cannot read to a GPU, or empty if it can} */
    public static Optional<String> deviceUnavailabilityCause() {
        return DeviceProvider.find().unavailabilityCause();
    }

    /**
     * {@return counters of a GPU's work so far}
     *
     * @param device its number, from 0; zeros for a GPU that the engine has not used
     */
    public DeviceMetrics deviceMetrics(int device) {
        return resources
                .devices()
                .counters(device)
                .map(DeviceMetrics::of)
                .orElse(DeviceMetrics.NONE);
    }

    @Override
    public String toString() {
        return "engine of %d workers, %d bytes, reading by %s"
                .formatted(workers(), resources.executor().options().budgetBytes(), io());
    }

    EngineResources resources() {
        return resources;
    }
}
