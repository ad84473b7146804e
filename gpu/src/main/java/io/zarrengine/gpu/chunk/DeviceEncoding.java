package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.Conversion;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.DeviceCodecs;
import java.util.Optional;

/**
 * What of a chunk a device undoes. Chunks of one pipeline share it, but those of blosc.
 *
 * @param pipeline how the chunk is encoded; null if its bytes are elements, or there are none
 * @param codecs what is left to undo; null as before
 * @param conversion what becomes of its numbers, or null
 * @param format what nvCOMP is to decode; null: nothing, or a blosc chunk that nobody looked at
 * @param blosc the streams of a blosc chunk, or null
 */
public record DeviceEncoding(
        ChunkPipeline pipeline,
        DeviceCodecs codecs,
        Conversion conversion,
        NvcompFormat format,
        BloscStreams blosc)
        implements DecodeChoice {
    /** Of elements. */
    public static final DeviceEncoding NONE = new DeviceEncoding(null, null, null, null, null);

    /** {@return what the device undoes of frames, or of blosc chunks before they are looked at} */
    public static DeviceEncoding of(
            ChunkPipeline pipeline, DeviceCodecs codecs, NvcompFormat format) {
        Conversion conversion = codecs.conversion().map(NumberConversions::of).orElse(null);
        return new DeviceEncoding(pipeline, codecs, conversion, format, null);
    }

    /** {@return the same of a blosc chunk} */
    public DeviceEncoding with(NvcompFormat inner, BloscStreams streams) {
        return new DeviceEncoding(pipeline, codecs, conversion, inner, streams);
    }

    /** {@return the size of a chunk when it is decoded, in bytes; of elements 0: they are} */
    public long decodedBytes() {
        return pipeline == null ? 0 : pipeline.serializedBytesMax();
    }

    /** {@return where the streams of a chunk have to go first; empty if they stay} */
    public Optional<AlignedStreams> aligned() {
        return blosc == null ? Optional.empty() : blosc.aligned();
    }

    /** {@return whether decoded bytes are byte-shuffled elements} */
    public boolean isShuffled() {
        return codecs != null && codecs.isShuffled();
    }
}
