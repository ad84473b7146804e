package io.zarrengine.zarr;

import io.zarrengine.uring.Caching;
import io.zarrengine.uring.MappingRule;
import io.zarrengine.zarr.datatype.DataTypeProvider;
import io.zarrengine.zarr.device.DeviceProvider;
import io.zarrengine.zarr.execute.QueueFactory;
import io.zarrengine.zarr.extension.CodecProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/** Options of an engine. */
public final class ZarrEngineBuilder {
    private static final long BUDGET_BYTES = 1L << 30;

    /** Above the cores of any machine: more is a mistake, and would only take memory. */
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
    final DeviceSettings devices = new DeviceSettings();
    UnaryOperator<QueueFactory> queues = UnaryOperator.identity();
    boolean callersRead = true;

    ZarrEngineBuilder() {
        ServiceLoader.load(DataTypeProvider.class).forEach(dataTypes::add);
        ServiceLoader.load(CodecProvider.class).forEach(codecs::add);
    }

    /**
     * Sets the number of workers; without it, one for each core.
     *
     * @param newWorkers threads, 1 to 1024
     * @return this
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
     * Sets the memory that the engine may use besides the targets of reads; without it, 1 GiB.
     *
     * @param bytes at least 16 MiB, more with many workers
     * @return this
     */
    public ZarrEngineBuilder budgetBytes(long bytes) {
        budgetBytes = bytes;
        return this;
    }

    /**
     * Sets how files are read; without it, {@link ZarrEngine.Io#AUTO}.
     *
     * @param newIo the way
     * @return this
     */
    public ZarrEngineBuilder io(ZarrEngine.Io newIo) {
        io = newIo;
        return this;
    }

    /**
     * Sets the memory for decoded chunks that are kept for the next read of them, besides the
     * budget and outside the heap; without it, none are. It pays where reads touch the same chunks
     * again and again.
     *
     * @param bytes {@code >= 0}; if the machine does not reserve so much, the heap must have room
     * @return this
     */
    public ZarrEngineBuilder chunkCacheBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("a chunk cache cannot have " + bytes + " bytes");
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
    public ZarrEngineBuilder caching(Caching newCaching) {
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
    public ZarrEngineBuilder deviceBudgetBytes(long bytes) {
        if (bytes <= 0) {
            throw new IllegalArgumentException("a device budget cannot have " + bytes + " bytes");
        }
        devices.budgetBytes(bytes);
        return this;
    }

    /**
     * Sets how much of the page cache may be pinned: of what is, GPUs copy by themselves, and the
     * host's cores only look at the headers. Files are pinned once they have been read twice, until
     * nobody has used them for half a minute; what is pinned cannot make room for anything else.
     * Without it, an eighth of what the page cache may take when the engine is opened; the engines
     * of several processes on a machine add up.
     *
     * @param bytes {@code >= 0}; with 0 the host copies all
     * @return this
     */
    public ZarrEngineBuilder pinnedFileBytes(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException(bytes + " bytes of files cannot be pinned");
        }
        devices.pinnedFileBytes(bytes);
        return this;
    }

    /** Sets which files are mapped for GPUs, in tests. */
    ZarrEngineBuilder deviceMapping(MappingRule rule) {
        devices.mapping(rule);
        return this;
    }

    /** Sets who opens devices, in tests. */
    ZarrEngineBuilder deviceProvider(DeviceProvider provider) {
        devices.provider(provider);
        return this;
    }

    /** Puts something between the workers and their queues, in tests: it sees all reads. */
    ZarrEngineBuilder queues(UnaryOperator<QueueFactory> newQueues) {
        queues = newQueues;
        callersRead = false;
        return this;
    }

    /** After {@link #queues}: what is in the page cache need not go through them. */
    ZarrEngineBuilder readingNow() {
        callersRead = true;
        return this;
    }

    /**
     * Adds data types of one's own, to those that a {@link ServiceLoader} finds.
     *
     * @param provider knows them
     * @return this
     */
    public ZarrEngineBuilder dataTypes(DataTypeProvider provider) {
        dataTypes.add(provider);
        return this;
    }

    /**
     * Adds codecs of one's own, to those that a {@link ServiceLoader} finds.
     *
     * @param provider knows them
     * @return this
     */
    public ZarrEngineBuilder codecs(CodecProvider provider) {
        codecs.add(provider);
        return this;
    }

    /**
     * Sets whether the checksums of chunks are compared (crc32c, fletcher32 and others, and those
     * that zstd, gzip and zlib streams have); without it, they are. If they are not, such a stream
     * is decoded only as far as a read needs it. The checksum of a shard's index is always
     * compared.
     *
     * @param verify whether a chunk with a wrong checksum is refused
     * @return this
     */
    public ZarrEngineBuilder verifyChecksums(boolean verify) {
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
    public ZarrEngineBuilder missingChunks(MissingChunks newMissingChunks) {
        missingChunks = Objects.requireNonNull(newMissingChunks, "missingChunks");
        return this;
    }

    /**
     * Sets whether GPUs decode chunks of which no checksum was compared; without it, they do. What
     * NVIDIA's decoders make of damaged bytes is undefined: a device may be out of service for the
     * rest of the process, whose reads then go on without it (docs/decisions/unchecked-frames.md
     * says how often). If they do not, they decode what has a checksum codec such as crc32c behind
     * its compressor, which is compared before, and the workers decode all else.
     *
     * @param decode whether they do
     * @return this
     */
    public ZarrEngineBuilder decodeUncheckedOnDevices(boolean decode) {
        devices.decodesUnchecked(decode);
        return this;
    }

    @Override
    public String toString() {
        return ("options of an engine: workers %d, budgetBytes %d, io %s, chunkCacheBytes %d, caching"
                        + " %s, verifyChecksums %b, missingChunks %s, %s")
                .formatted(
                        workers,
                        budgetBytes,
                        io,
                        chunkCacheBytes,
                        caching,
                        verifyChecksums,
                        missingChunks,
                        devices);
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
