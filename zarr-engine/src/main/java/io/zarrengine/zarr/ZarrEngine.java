package io.zarrengine.zarr;

import io.zarrengine.bindings.LeakWatch;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.execute.ExecutorOptions;
import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.metadata.MetadataWriter;
import io.zarrengine.zarr.store.LocalPaths;
import io.zarrengine.zarr.store.StoredNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads Zarr. Owns the threads and the memory that reading takes; one engine serves a whole
 * program.
 *
 * <p>Owner: who opened it; it outlives its arrays. Threads: any.
 */
public final class ZarrEngine implements AutoCloseable {
    /** How files are read. */
    public enum Io {
        /** The best way that works on this machine. */
        AUTO,
        /** io_uring. */
        URING,
        /** preadv(2) on a pool of threads. */
        PREAD,
        /** The JDK's {@code FileChannel} on a pool of threads. */
        CHANNEL,
        /**
         * As {@link #AUTO}; but uncompressed chunks that go to a GPU are read to its memory around
         * the host's, with GPUDirect Storage (cuFile). It is for large chunks on a drive.
         */
        GDS
    }

    private final EngineResources resources;

    ZarrEngine(ZarrEngineBuilder builder) {
        DataTypes dataTypes = DataTypes.with(builder.dataTypes);
        List<CodecProvider> codecProviders = List.copyOf(builder.codecs);
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
        // By channels a caller can read nothing at once; and an interrupt of his closes them.
        boolean callersRead =
                builder.callersRead && backend.method() != ReadBackend.Method.FILE_CHANNEL;
        Executor executor =
                new Executor(
                        builder.queues.apply(backend::newQueue),
                        callersRead ? backend : null,
                        options);
        Devices devices;
        try {
            devices = builder.devices.devices(executor, backend, builder.io == Io.GDS);
        } catch (RuntimeException | Error e) {
            executor.close();
            throw e;
        }
        resources =
                new EngineResources(
                        executor,
                        backend,
                        devices,
                        builder.caching,
                        dataTypes,
                        codecProviders,
                        builder.missingChunks == MissingChunks.FILL);
    }

    /** {@return an engine with a worker for each core and a budget of 1 GiB} */
    public static ZarrEngine open() {
        return builder().open();
    }

    /** {@return options to set, and then to open an engine with} */
    public static ZarrEngineBuilder builder() {
        return new ZarrEngineBuilder();
    }

    /**
     * {@return the array at a path}
     *
     * @param path its folder; or a zip file, with names in it behind: {@code x.zip/a}
     * @throws NodeNotFoundException if there is no array
     * @throws FormatException if its metadata is not valid, or asks for what is not known
     * @throws ZarrException if it cannot be read
     */
    public ZarrArray openArray(Path path) {
        if (open(path) instanceof ZarrArray array) {
            return array;
        }
        throw new NodeNotFoundException(path.toString(), "is a group, not an array");
    }

    /**
     * {@return the group at a path}
     *
     * @param path its folder; or a zip file, with names in it behind: {@code x.zip/a}
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
     * @param path its folder; or a zip file, with names in it behind: {@code x.zip/a}
     * @throws NodeNotFoundException if there is neither
     * @throws FormatException if its metadata is not valid, or asks for what is not known
     * @throws ZarrException if it cannot be read
     */
    public ZarrNode open(Path path) {
        Path absolute = absolute(path);
        return ZarrGroup.node(resources, absolute, stored(absolute));
    }

    private Path absolute(Path path) {
        LocalPaths.require(Objects.requireNonNull(path, "the path is null"));
        return resources.backend().absolute(path);
    }

    private StoredNode stored(Path path) {
        return StoredNode.at(path, resources.backend(), resources.dataTypes());
    }

    /**
     * Creates an array: writes its metadata.
     *
     * @param path its folder; made if it is not there
     * @param metadata what the array is
     * @return writes its chunks
     * @throws FormatException if its codecs do not fit together, or it cannot be written
     * @throws StoreException if there is a node already, or the document cannot be written
     */
    public ArrayWriter createArray(Path path, ArrayMetadata metadata) {
        return ArrayWriter.create(resources, absolute(path), metadata);
    }

    /**
     * Opens an array to write more of it: chunks that are missing, or others in the place of those
     * that are there. Its document stays as it is, whoever wrote it. A chunk is written as a whole,
     * in a sharded array a shard: what was in it before is gone.
     *
     * @param path its folder
     * @return writes its chunks
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
     * Creates a group: writes its metadata.
     *
     * @param path its folder; made if it is not there
     * @param metadata its attributes
     * @return the group
     * @throws FormatException if it cannot be written
     * @throws StoreException if there is a node already, or the document cannot be written
     */
    public ZarrGroup createGroup(Path path, GroupMetadata metadata) {
        Path absolute = absolute(path);
        Path document = StoredNode.create(absolute, name -> MetadataWriter.write(name, metadata));
        return new ZarrGroup(
                resources, absolute, StoredNode.ofNew(document, metadata.attributes()));
    }

    /**
     * {@return how files are read to the host: {@link Io#URING}, {@link Io#PREAD} or {@link
     * Io#CHANNEL}}
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

    /** {@return what the engine has done so far} */
    public EngineMetrics metrics() {
        Executor executor = resources.executor();
        return EngineMetrics.of(executor.metrics().snapshot(), executor.queueDepths());
    }

    /**
     * Fails the reads that are under way, waits until nobody writes to their targets any more, and
     * frees everything; also the files of arrays that were not closed.
     */
    @Override
    public void close() {
        resources.close();
        LeakWatch.lookIfTracing();
    }

    /** {@return why no GPU can be read to here, or empty if one can} */
    public static Optional<String> deviceUnavailabilityCause() {
        return DeviceProvider.find().unavailabilityCause();
    }

    /**
     * {@return what a GPU has done so far}
     *
     * @param device its number, from 0
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
