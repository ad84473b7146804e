package io.zarrengine.nvcomp;

import io.zarrengine.cuda.CudaStream;
import io.zarrengine.cuda.DeviceSlice;
import java.io.IOException;

/**
 * Decodes batches of chunks of one format, in one stream.
 *
 * <p>A launch takes about as long for 16 chunks as for 1,024: batches are thousands of chunks. What
 * it decodes was checked on the host before ({@link FrameCheck}): for most formats nvCOMP's answer
 * to damaged input is undefined, up to the loss of the device.
 */
public final class BatchDecoder extends BatchCodec {
    private final DecodeCalls calls;

    private BatchDecoder(NvcompFormat format, CudaStream stream, DecodeCalls calls)
            throws IOException {
        super("Decompress", format, stream, calls.queries(), _ -> {}); // Zero is the default.
        this.calls = calls;
    }

    /**
     * Opens a decoder.
     *
     * @param format which {@link NvcompLibrary} must have
     * @param stream where it works, closed after it; called on its device's thread
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
     * Queues the decoding of a batch: its descriptors to the device, the launch, its results back.
     *
     * @param batch checked frames on the device, and their targets
     * @param scratch memory of {@link #scratchBytes}, which nothing else uses before this is done
     * @throws IOException if nvCOMP or CUDA refuses; nothing can be said of the targets then
     * @throws IllegalArgumentException if an address is not aligned or the scratch is too small
     */
    public void decode(DecodeBatch batch, DeviceSlice scratch) throws IOException {
        if (batch.count() > 0) {
            batch.upload(stream);
            decodeUploaded(batch, scratch);
        }
    }

    /**
     * The same of a batch that was {@linkplain ChunkBatch#upload uploaded} in a stream that ours
     * waits for: in ours, its few bytes may wait for all large copies of others, for one engine
     * makes all copies to the device, and not in turns.
     *
     * @param batch checked frames on the device, and their targets; at least one
     * @param scratch memory of {@link #scratchBytes}, which nothing else uses before this is done
     * @throws IOException if nvCOMP or CUDA refuses; nothing can be said of the targets then
     * @throws IllegalArgumentException if an address is not aligned or the scratch is too small
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
