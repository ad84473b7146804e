package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.uring.ReadBackend;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.DataTypeProvider;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.device.DeviceOptions;
import io.zarrengine.zarr.device.Devices;
import io.zarrengine.zarr.errors.FormatException;
import io.zarrengine.zarr.errors.NodeNotFoundException;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.execute.Executor;
import io.zarrengine.zarr.execute.ExecutorOptions;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.extension.CodecProvider;
import io.zarrengine.zarr.memory.ResultMemory;
import io.zarrengine.zarr.metadata.ArrayMetadata;
import io.zarrengine.zarr.metadata.GroupMetadata;
import io.zarrengine.zarr.metadata.MetadataWriter;
import io.zarrengine.zarr.store.ChunkFiles;
import io.zarrengine.zarr.store.LocalPaths;
import io.zarrengine.zarr.store.OpenChunkFiles;
import io.zarrengine.zarr.store.Store;
import io.zarrengine.zarr.store.StoredNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

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

    private final ReadBackend backend;
    private final Caching caching;
    private final Executor executor;
    private final ResultMemory results;
    private final Devices devices;
    private final OpenChunkFiles chunkFiles = new OpenChunkFiles();
    private final DataTypes dataTypes;
    private final List<CodecProvider> codecProviders;
    private final boolean fillsMissing;

    /** Threads are started last: what fails before that leaves nothing behind. */
    private ZarrEngine(Builder builder) {
        dataTypes = DataTypes.with(builder.dataTypes);
        codecProviders = List.copyOf(builder.codecs);
        fillsMissing = builder.missingChunks == MissingChunks.FILL;
        ExecutorOptions options =
                ExecutorOptions.divide(builder.workers, builder.budgetBytes)
                        .verifyingChecksums(builder.verifyChecksums)
                        .keepingChunks(builder.chunkCacheBytes);
        if (builder.io == Io.GDS) {
            Devices.requireDirectReads();
        }
        backend =
                switch (builder.io) {
                    case AUTO, GDS -> ReadBackend.best();
                    case URING -> ReadBackend.of(ReadBackend.Method.IO_URING);
                    case PREAD -> ReadBackend.of(ReadBackend.Method.PREADV);
                    case CHANNEL -> ReadBackend.of(ReadBackend.Method.FILE_CHANNEL);
                };
        caching = builder.caching;
        results = new ResultMemory(options.resultBytesMax());
        // By channels a caller can read nothing at once; and an interrupt of his closes them.
        boolean callersRead =
                builder.callersRead && backend.method() != ReadBackend.Method.FILE_CHANNEL;
        executor =
                new Executor(
                        builder.queues.apply(backend::newQueue),
                        callersRead ? backend : null,
                        options);
        devices = builder.devices.devices(executor, backend, builder.io == Io.GDS);
    }

    /** {@return an engine with a worker for each core and a budget of 1 GiB} */
    public static ZarrEngine open() {
        return builder().open();
    }

    /** {@return options to set, and then to open an engine with} */
    public static Builder builder() {
        return new Builder();
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
        return node(absolute, StoredNode.at(absolute, backend, dataTypes));
    }

    private Path absolute(Path path) {
        LocalPaths.require(Objects.requireNonNull(path, "the path is null"));
        return backend().absolute(path);
    }

    ZarrNode node(Path path, StoredNode stored) {
        return switch (stored.metadata()) {
            case ArrayMetadata array -> new ZarrArray(this, path, stored, array);
            case GroupMetadata group -> new ZarrGroup(this, path, stored);
        };
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
        return ArrayWriter.create(this, absolute(path), metadata);
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
        return ArrayWriter.open(this, absolute, StoredNode.at(absolute, backend, dataTypes));
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
        return new ZarrGroup(this, absolute, StoredNode.ofNew(document, metadata.attributes()));
    }

    /**
     * {@return how files are read to the host: {@link Io#URING}, {@link Io#PREAD} or {@link
     * Io#CHANNEL}}
     */
    public Io io() {
        return switch (backend.method()) {
            case IO_URING -> Io.URING;
            case PREADV -> Io.PREAD;
            case FILE_CHANNEL -> Io.CHANNEL;
        };
    }

    /** {@return the number of workers} */
    public int workers() {
        return executor.options().workers();
    }

    /** {@return what the engine has done so far} */
    public EngineMetrics metrics() {
        return EngineMetrics.of(executor.metrics().snapshot(), executor.queueDepths());
    }

    /**
     * Fails the reads that are under way, waits until nobody writes to their targets any more, and
     * frees everything; also the files of arrays that were not closed.
     */
    @Override
    public void close() {
        executor.close();
        chunkFiles.close();
        results.close();
        devices.close(); // Its readers are gone.
        backend.close();
    }

    /** {@return why no GPU can be read to here, or empty if one can} */
    public static Optional<String> deviceUnavailabilityCause() {
        return Devices.unavailabilityCause();
    }

    /**
     * {@return what a GPU has done so far}
     *
     * @param device its number, from 0
     */
    public DeviceMetrics deviceMetrics(int device) {
        return devices.counters(device).map(DeviceMetrics::of).orElse(DeviceMetrics.NONE);
    }

    /** {@return memory for a result} */
    HostTensor newTensor(DataType type, long[] shape, long bytes) {
        return new HostTensor(
                type, shape, HostTensor.allocate(results::allocate, type, shape, bytes));
    }

    Devices devices() {
        return devices;
    }

    DataTypes dataTypes() {
        return dataTypes;
    }

    List<CodecProvider> codecProviders() {
        return codecProviders;
    }

    boolean fillsMissing() {
        return fillsMissing;
    }

    ReadBackend backend() {
        executor.requireOpen();
        return backend;
    }

    Executor executor() {
        return executor;
    }

    ChunkFiles newChunkFiles(Store store, Path root) {
        return new ChunkFiles(backend(), caching, chunkFiles, store, root);
    }

    /** Options of an engine. */
    public static final class Builder {
        private static final long BUDGET_BYTES = 1L << 30;

        /** Above the cores of any machine: more is a mistake, and would only take memory. */
        private static final int WORKERS_MAX = 1024;

        private int workers = Runtime.getRuntime().availableProcessors();
        private long budgetBytes = BUDGET_BYTES;
        private Io io = Io.AUTO;
        private Caching caching = Caching.AUTO;
        private boolean verifyChecksums = true;
        private MissingChunks missingChunks = MissingChunks.FILL;
        private long chunkCacheBytes;
        private final List<DataTypeProvider> dataTypes = new ArrayList<>();
        private final List<CodecProvider> codecs = new ArrayList<>();
        private final DeviceSettings devices = new DeviceSettings();
        private UnaryOperator<QueueFactory> queues = UnaryOperator.identity();
        private boolean callersRead = true;

        private Builder() {
            ServiceLoader.load(DataTypeProvider.class).forEach(dataTypes::add);
            ServiceLoader.load(CodecProvider.class).forEach(codecs::add);
        }

        /**
         * Sets the number of workers; without it, one for each core.
         *
         * @param newWorkers threads, 1 to 1024
         * @return this
         */
        public Builder workers(int newWorkers) {
            if (newWorkers < 1 || newWorkers > WORKERS_MAX) {
                throw new IllegalArgumentException(
                        newWorkers + " workers: 1 to " + WORKERS_MAX + " are possible");
            }
            workers = newWorkers;
            return this;
        }

        /**
         * Sets the memory that the engine may use besides the targets of reads; without it, 1 GiB.
         *
         * @param bytes at least 16 MiB, more with many workers
         * @return this
         */
        public Builder budgetBytes(long bytes) {
            budgetBytes = bytes;
            return this;
        }

        /**
         * Sets how files are read; without it, {@link Io#AUTO}.
         *
         * @param newIo the way
         * @return this
         */
        public Builder io(Io newIo) {
            io = newIo;
            return this;
        }

        /**
         * Sets the memory for decoded chunks that are kept for the next read of them, besides the
         * budget and outside the heap; without it, none are. It pays where reads touch the same
         * chunks again and again.
         *
         * @param bytes {@code >= 0}; if the machine does not reserve so much, the heap must have
         *     room
         * @return this
         */
        public Builder chunkCacheBytes(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException("a cache of " + bytes + " bytes");
            }
            chunkCacheBytes = bytes;
            return this;
        }

        /**
         * Sets which way the bytes of files take; without it, {@link Caching#AUTO}.
         *
         * @param newCaching through the page cache or around it
         * @return this
         */
        public Builder caching(Caching newCaching) {
            caching = newCaching;
            return this;
        }

        /**
         * Sets the memory that the engine may use on each GPU, results that it allocates included;
         * without it, half of what is free when the GPU is first used.
         *
         * @param bytes {@code > 0}; 64 MiB let it begin, a few GiB let it decode in large batches
         * @return this
         */
        public Builder deviceBudgetBytes(long bytes) {
            if (bytes <= 0) {
                throw new IllegalArgumentException("a device budget of " + bytes + " bytes");
            }
            devices.budgetBytes(bytes);
            return this;
        }

        /**
         * Sets how much of the page cache may be pinned: of what is, GPUs copy by themselves, and
         * the host's cores only look at the headers. Files are pinned once they have been read
         * twice, until nobody has used them for half a minute; what is pinned cannot make room for
         * anything else. Without it, an eighth of what the page cache may take when the engine is
         * opened; the engines of several processes on a machine add up.
         *
         * @param bytes {@code >= 0}; with 0 the host copies all
         * @return this
         */
        public Builder pinnedFileBytes(long bytes) {
            if (bytes < 0) {
                throw new IllegalArgumentException(bytes + " bytes of pinned files");
            }
            devices.pinnedFileBytes(bytes);
            return this;
        }

        /** Sets which files are mapped for GPUs, in tests. */
        Builder deviceMapping(MappingRule rule) {
            devices.mapping(rule);
            return this;
        }

        /** Sets how a GPU's memory is divided, in tests. */
        Builder deviceOptions(DeviceOptions newOptions) {
            devices.options(newOptions);
            return this;
        }

        /** Puts something between the workers and their queues, in tests: it sees all reads. */
        Builder queues(UnaryOperator<QueueFactory> newQueues) {
            queues = newQueues;
            callersRead = false;
            return this;
        }

        /** After {@link #queues}: what is in the page cache need not go through them. */
        Builder readingNow() {
            callersRead = true;
            return this;
        }

        /**
         * Adds data types of one's own, to those that a {@link ServiceLoader} finds.
         *
         * @param provider knows them
         * @return this
         */
        public Builder dataTypes(DataTypeProvider provider) {
            dataTypes.add(provider);
            return this;
        }

        /**
         * Adds codecs of one's own, to those that a {@link ServiceLoader} finds.
         *
         * @param provider knows them
         * @return this
         */
        public Builder codecs(CodecProvider provider) {
            codecs.add(provider);
            return this;
        }

        /**
         * Sets whether the checksums of chunks are compared (crc32c, fletcher32 and others, and
         * those that zstd, gzip and zlib streams have); without it, they are. If they are not, such
         * a stream is decoded only as far as a read needs it. The checksum of a shard's index is
         * always compared.
         *
         * @param verify whether a chunk with a wrong checksum is refused
         * @return this
         */
        public Builder verifyChecksums(boolean verify) {
            verifyChecksums = verify;
            return this;
        }

        /**
         * Sets what becomes of the elements of chunks that were never written; without it, {@link
         * MissingChunks#FILL}.
         *
         * @param newMissingChunks the fill value, or an error
         * @return this
         */
        public Builder missingChunks(MissingChunks newMissingChunks) {
            missingChunks = Objects.requireNonNull(newMissingChunks, "missingChunks");
            return this;
        }

        /**
         * Sets whether GPUs decode chunks of which no checksum was compared; without it, they do.
         * What NVIDIA's decoders make of damaged bytes is undefined: a device may be out of service
         * for the rest of the process, whose reads then go on without it (docs/gpu.md says how
         * often). If they do not, they decode what has a checksum codec such as crc32c behind its
         * compressor, which is compared before, and the workers decode all else.
         *
         * @param decode whether they do
         * @return this
         */
        public Builder decodeUncheckedOnDevices(boolean decode) {
            devices.decodesUnchecked(decode);
            return this;
        }

        /**
         * {@return an engine}
         *
         * @throws UnsupportedOperationException if the chosen way to read does not work here; the
         *     message says why
         * @throws IllegalArgumentException if the budget is too small
         */
        public ZarrEngine open() {
            return new ZarrEngine(this);
        }
    }
}
