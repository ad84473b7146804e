package io.zarrengine.nvcomp;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Encodes batches of chunks to one format, in one stream, with nvCOMP's default options. NVIDIA's
 * own formats encode chunks as bytes.
 *
 * <p>An encoder does not know the size of its targets. A target must have {@link #encodedBytesMax}
 * bytes, which is more than the chunk's size, for chunks that cannot be compressed.
 */
public final class BatchEncoder extends BatchCodec {
    /** The limit of most encoders in nvCOMP's headers, in bytes. Some accept more. */
    private static final long CHUNK_BYTES_MAX = 1 << 24;

    private final EncodeCalls calls;

    private BatchEncoder(NvcompFormat format, CudaStream stream, EncodeCalls calls)
            throws IOException {
        super("Compress", format, stream, calls.queries(), words -> setDefaults(format, words));
        this.calls = calls;
    }

    /**
     * Opens an encoder.
     *
     * @param format a format that {@link NvcompLibrary#canEncode} accepts
     * @param stream the stream of its work, closed after it; called on its device's thread
     * @return an encoder owned by the caller
     * @throws NvcompException if this release lacks the encoder, or refuses
     * @throws IOException if the device is lost
     */
    public static BatchEncoder open(NvcompFormat format, CudaStream stream) throws IOException {
        if (!NvcompLibrary.canEncode(format)) {
            throw notThere(format);
        }
        return new BatchEncoder(format, stream, EncodeCalls.of(format));
    }

    /** Sets the default options. Source: nvcomp/deflate.h, bitcomp.h, cascaded.h of 5.1 and 6.0. */
    private static void setDefaults(NvcompFormat format, MemorySegment options) {
        switch (format) {
            case DEFLATE, GDEFLATE, GZIP -> options.set(JAVA_INT, 0, 1); // high throughput
            case BITCOMP -> options.set(JAVA_INT, 4, 1); // unsigned bytes
            case CASCADED -> {
                options.set(JAVA_LONG, 0, 4096); // bytes of an inner chunk
                options.set(JAVA_INT, 8, 1); // unsigned bytes
                options.set(JAVA_INT, 12, 2); // run-length passes
                options.set(JAVA_INT, 16, 1); // delta passes
                options.set(JAVA_INT, 20, 1); // bit packing
            }
            case LZ4, SNAPPY, ZSTD -> {} // all zero
        }
    }

    /**
     * {@return the size that a target needs, in bytes} Every target of a batch needs the size for
     * its largest chunk.
     *
     * @param chunkBytes size of the chunk in bytes
     * @throws NvcompException if it is more than a chunk may have
     */
    public long encodedBytesMax(long chunkBytes) throws NvcompException {
        checkChunkBytes(chunkBytes);
        try (Arena scratch = Arena.ofConfined()) {
            MemorySegment bytes = scratch.allocate(JAVA_LONG);
            int code = calls.encodedBytesMax().call(chunkBytes, options, bytes);
            check(code, "GetMaxOutputChunkSize", chunkBytes + " bytes");
            return bytes.get(JAVA_LONG, 0);
        }
    }

    @Override
    long chunkBytesMax() {
        return CHUNK_BYTES_MAX;
    }

    /**
     * Queues the encoding of a batch: the upload of its descriptors, the launch, and the copy of
     * its results.
     *
     * @param batch chunks on the device, and their targets
     * @param scratch memory of {@link #scratchBytes}, which nothing else may use before this is
     *     done
     * @throws IOException if nvCOMP or CUDA refuses; the content of the targets is undefined then
     * @throws IllegalArgumentException if an address is not aligned, or the scratch memory or a
     *     target is too small
     */
    public void encode(EncodeBatch batch, DeviceSlice scratch) throws IOException {
        if (batch.count() == 0) {
            return;
        }
        checkArguments(batch, scratch);
        checkTargets(batch);
        batch.upload(stream);
        queue(
                batch,
                () ->
                        calls.compress()
                                .call(
                                        batch.sources(),
                                        batch.sourceBytes(),
                                        batch.chunkBytesMax(),
                                        batch.count(),
                                        scratch.pointer(),
                                        scratch.byteSize(),
                                        batch.targets(),
                                        batch.actualBytes(),
                                        options,
                                        batch.statuses(),
                                        stream.handle()));
    }

    private void checkTargets(EncodeBatch batch) throws NvcompException {
        long needed = encodedBytesMax(batch.chunkBytesMax());
        if (needed > batch.targetBytesMin()) {
            throw new IllegalArgumentException(
                    needed + " bytes for each target, one has " + batch.targetBytesMin());
        }
    }
}
