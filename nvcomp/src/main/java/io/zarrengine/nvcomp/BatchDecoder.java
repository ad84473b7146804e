package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;

/**
 * Decodes batches of chunks of one format, in one stream.
 *
 * <p>A launch takes about as long for 16 chunks as for 1,024, so batches have thousands of chunks.
 * The host must check chunks before ({@link FrameCheck}): for most formats, nvCOMP's behaviour on
 * damaged input is undefined, and may break the device.
 */
public final class BatchDecoder extends BatchCodec {
    private final DecodeCalls calls;

    private BatchDecoder(NvcompFormat format, CudaStream stream, DecodeCalls calls)
            throws IOException {
        super("Decompress", format, stream, calls.queries(), _ -> {}); // zero is the default
        this.calls = calls;
    }

    /**
     * Opens a decoder.
     *
     * @param format a format that {@link NvcompLibrary#canDecode} accepts
     * @param stream the stream of its work, closed after it; called on its device's thread
     * @return a decoder owned by the caller
     * @throws NvcompException if this release lacks the format, or refuses
     * @throws IOException if the device is lost
     */
    public static BatchDecoder open(NvcompFormat format, CudaStream stream) throws IOException {
        if (!NvcompLibrary.canDecode(format)) {
            throw notThere(format);
        }
        return new BatchDecoder(format, stream, DecodeCalls.of(format));
    }

    @Override
    long chunkBytesMax() {
        return format.decodedBytesMax();
    }

    /**
     * Queues the decoding of a batch: the upload of its descriptors, the launch, and the copy of
     * its results.
     *
     * @param batch checked frames on the device, and their targets
     * @param scratch memory of {@link #scratchBytes}, which nothing else may use before this is
     *     done
     * @throws IOException if nvCOMP or CUDA refuses; the content of the targets is undefined then
     * @throws IllegalArgumentException if an address is not aligned or the scratch memory is too
     *     small
     */
    public void decode(DecodeBatch batch, DeviceSlice scratch) throws IOException {
        if (batch.count() > 0) {
            batch.upload(stream);
            decodeUploaded(batch, scratch);
        }
    }

    /**
     * Queues the decoding of a batch that was {@linkplain ChunkBatch#upload uploaded} in another
     * stream, for which this decoder's stream waits. Uploaded in this stream, its few bytes might
     * wait for all large copies of other streams, because one copy engine makes all copies to the
     * device and does not alternate between streams.
     *
     * @param batch checked frames on the device, and their targets; at least one
     * @param scratch memory of {@link #scratchBytes}, which nothing else may use before this is
     *     done
     * @throws IOException if nvCOMP or CUDA refuses; the content of the targets is undefined then
     * @throws IllegalArgumentException if an address is not aligned or the scratch memory is too
     *     small
     */
    public void decodeUploaded(DecodeBatch batch, DeviceSlice scratch) throws IOException {
        checkArguments(batch, scratch);
        queue(
                batch,
                () ->
                        calls.decompress()
                                .call(
                                        batch.sources(),
                                        batch.sourceBytes(),
                                        batch.capacities(),
                                        batch.actualBytes(),
                                        batch.count(),
                                        scratch.pointer(),
                                        scratch.byteSize(),
                                        batch.targets(),
                                        options,
                                        batch.statuses(),
                                        stream.handle()));
    }
}
