package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.datatype.DataTypeProvider;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.errors.StoreException;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.extension.CodecProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/** Builds an engine from options. Threads: one at a time. */
public final class ZarrEngineBuilder {
    private static final long BUDGET_BYTES = 1L << 30;

    /**
     * More than the cores of any machine. A higher number is a mistake and would only take memory.
     */
    private static final int WORKERS_MAX = 1024;

    int workers = Runtime.getRuntime().availableProcessors();
    long budgetBytes = BUDGET_BYTES;
    ZarrEngine.Io io = ZarrEngine.Io.AUTO;
    Caching caching = Caching.AUTO;
    boolean verifyChecksums = true;
    MissingChunks missingChunks = MissingChunks.FILL;
    long chunkCacheBytes;
    final List<DataTypeProvider> dataTypes = new ArrayList<>();
    final List<CodecProvider> codecs = new ArrayList<>();
    final DiskCacheSettings diskCache = new DiskCacheSettings();
    final DeviceSettings devices = new DeviceSettings();
    UnaryOperator<QueueFactory> queues = UnaryOperator.identity();
    boolean callersRead = true;

    ZarrEngineBuilder() {
        ServiceLoader.load(DataTypeProvider.class).forEach(dataTypes::add);
        ServiceLoader.load(CodecProvider.class).forEach(codecs::add);
    }

    /**
     * Sets the number of workers. Default: one for each core.
     *
     * @param newWorkers threads, 1 to 1024
     * @return this
     * @throws IllegalArgumentException if the number is outside these limits
     */
    public ZarrEngineBuilder workers(int newWorkers) {
        if (newWorkers < 1 || newWorkers > WORKERS_MAX) {
            throw new IllegalArgumentException(
                    newWorkers + " workers: 1 to " + WORKERS_MAX + " are possible");
        }
        workers = newWorkers;
        return this;
    }

    /**
     * Sets the memory that the engine may use besides the targets of reads. Default: 1 GiB.
     *
     * @param bytes at least 16 MiB, more with many workers; {@link #open} checks it
     * @return this
     */
    public ZarrEngineBuilder budgetBytes(long bytes) {
        budgetBytes = bytes;
        return this;
    }

    /**
     * Sets the method of reading files. Default: {@link ZarrEngine.Io#AUTO}.
     *
     * @param newIo the method
     * @return this
     */
    public ZarrEngineBuilder io(ZarrEngine.Io newIo) {
        io = newIo;
        return this;
    }

    /**
     * Sets the memory of the cache for decoded chunks, outside the budget and the heap. Default: 0,
     * no cache. The cache pays off if reads touch the same chunks again and again.
     *
     * @param bytes {@code >= 0}; if the system refuses to reserve that much, the heap must have
     *     room
     * @return this
     * @throws IllegalArgumentException if the number is outside these limits
     */
    public ZarrEngineBuilder chunkCacheBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a chunk cache cannot have " + bytes + " bytes");
        }
        chunkCacheBytes = bytes;
        return this;
    }

    /**
     * Keeps on disk what is read from stores that have a name for it ({@code http:}, {@code s3:},
     * {@code gs:}, {@code az:}), and reads it from there the next time. Several processes may use a
     * folder. Default: none.
     *
     * @param folder on a local disk; created if missing
     * @param bytes most bytes that it may take, {@code > 0}; what was not used for the longest time
     *     is removed
     * @return this
     * @throws IllegalArgumentException if the number of bytes is not positive
     */
    public ZarrEngineBuilder diskCache(Path folder, long bytes) {
        diskCache.set(folder, bytes);
        return this;
    }

    /**
     * Sets how long an object on disk counts as the current one for arrays that are opened later,
     * without asking its server. Default: zero, so that the server is asked for each object once
     * after its array was opened. While an array is open, each of its objects stays the version
     * that was read first.
     *
     * @param maxAge {@code >= 0}; above zero, objects that have changed may be read as they were
     * @return this
     * @throws IllegalArgumentException if the age is negative
     */
    public ZarrEngineBuilder diskCacheMaxAge(Duration maxAge) {
        diskCache.maxAge(maxAge);
        return this;
    }

    /**
     * Sets whether files are read through the page cache. Default: {@link Caching#AUTO}.
     *
     * @param newCaching through the page cache or around it
     * @return this
     */
    public ZarrEngineBuilder caching(Caching newCaching) {
        caching = newCaching;
        return this;
    }

    /**
     * Sets the memory that the engine may use on each GPU, including results that the engine
     * allocates. Default: half of the memory that is free when the GPU is first used.
     *
     * @param bytes {@code > 0}; 64 MiB suffice to start, a few GiB allow large batches
     * @return this
     * @throws IllegalArgumentException if the number is outside these limits
     */
    public ZarrEngineBuilder deviceBudgetBytes(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a device budget cannot have " + bytes + " bytes");
        }
        devices.budgetBytes(bytes);
        return this;
    }

    /**
     * Sets how much of the page cache may be pinned. GPUs copy from pinned files by themselves, and
     * the CPU only looks at the headers. A file is pinned once it has been read twice, and stays
     * pinned until it has been unused for half a minute. Pinned memory cannot make room for
     * anything else. Default: an eighth of the memory that the page cache may take when the engine
     * is opened. The engines of several processes on a machine add up.
     *
     * @param bytes {@code >= 0}; with 0 the CPU copies everything
     * @return this
     * @throws IllegalArgumentException if the number is outside these limits
     */
    public ZarrEngineBuilder pinnedFileBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(bytes + " bytes of files cannot be pinned");
        }
        devices.pinnedFileBytes(bytes);
        return this;
    }

    /** Sets the files that are mapped for GPUs, in tests. */
    ZarrEngineBuilder deviceMapping(MappingRule rule) {
        devices.mapping(rule);
        return this;
    }

    /** Sets the provider of devices, in tests. */
    ZarrEngineBuilder deviceProvider(DeviceProvider provider) {
        devices.provider(provider);
        return this;
    }

    /** Wraps the queues of the workers, in tests; the wrapper sees all reads. */
    ZarrEngineBuilder queues(UnaryOperator<QueueFactory> newQueues) {
        queues = newQueues;
        callersRead = false;
        return this;
    }

    /** After {@link #queues}: lets callers read from the page cache without the queues. */
    ZarrEngineBuilder readingNow() {
        callersRead = true;
        return this;
    }

    /**
     * Adds custom data types, besides those that a {@link ServiceLoader} finds.
     *
     * @param provider knows the data types
     * @return this
     */
    public ZarrEngineBuilder dataTypes(DataTypeProvider provider) {
        dataTypes.add(provider);
        return this;
    }

    /**
     * Adds custom codecs, besides those that a {@link ServiceLoader} finds.
     *
     * @param provider knows the codecs
     * @return this
     */
    public ZarrEngineBuilder codecs(CodecProvider provider) {
        codecs.add(provider);
        return this;
    }

    /**
     * Sets whether the checksums of chunks are verified: crc32c, fletcher32 and others, and those
     * in zstd, gzip and zlib streams. Default: true. Without verification, the decoder stops within
     * such a stream after the bytes that a read needs. The checksum of a shard's index is always
     * verified.
     *
     * @param verify whether a chunk with a wrong checksum is refused
     * @return this
     */
    public ZarrEngineBuilder verifyChecksums(boolean verify) {
        verifyChecksums = verify;
        return this;
    }

    /**
     * Sets the treatment of chunks that were never written. Default: {@link MissingChunks#FILL}.
     *
     * @param newMissingChunks the fill value, or an error
     * @return this
     */
    public ZarrEngineBuilder missingChunks(MissingChunks newMissingChunks) {
        missingChunks = Objects.requireNonNull(newMissingChunks, "missingChunks");
        return this;
    }

    /**
     * Sets whether GPUs decode chunks without a verified checksum. Default: true. NVIDIA's decoders
     * have undefined behaviour on damaged bytes. They can put a device out of service for the rest
     * of the process; reads then continue without it (docs/decisions/unchecked-frames.md says how
     * often). If false, GPUs decode only chunks with a checksum codec such as crc32c after the
     * compressor, which a worker verifies first. The workers decode all other chunks.
     *
     * @param decode whether GPUs decode unchecked chunks
     * @return this
     */
    public ZarrEngineBuilder decodeUncheckedOnDevices(boolean decode) {
        devices.decodesUnchecked(decode);
        return this;
    }

    @Override
    public String toString() {
        return ("options of an engine: workers %d, budgetBytes %d, io %s, chunkCacheBytes %d, caching"
                        + " %s, verifyChecksums %b, missingChunks %s, %s, %s")
                .formatted(
                        workers,
                        budgetBytes,
                        io,
                        chunkCacheBytes,
                        caching,
                        verifyChecksums,
                        missingChunks,
                        diskCache,
                        devices);
    }

    /**
     * {@return a new engine with these options}
     *
     * @throws UnsupportedOperationException if the chosen method of reading does not work here; the
     *     message says why
     * @throws IllegalArgumentException if the budget is too small
     * @throws StoreException if the folder of the disk cache cannot be used
     */
    public ZarrEngine open() {
        return new ZarrEngine(this);
    }
}
