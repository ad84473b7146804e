package io.zarrengine.gpu.chunk;

import io.zarrengine.cuda.Conversion;
import io.zarrengine.nvcomp.NvcompFormat;
import io.zarrengine.zarr.pipeline.ChunkPipeline;
import io.zarrengine.zarr.pipeline.DeviceCodecs;
import java.util.Optional;

/**
 * The part of a chunk's encoding that a device undoes. Chunks of one pipeline share an instance,
 * except those of blosc.
 *
 * @param pipeline the chunk's pipeline; null if its bytes are elements, or there are none
 * @param codecs the codecs that are left to undo; null if {@code pipeline} is
 * @param conversion the conversion of its numbers, or null
 * @param format the format that nvCOMP must decode; null if there is none, or if the streams of a
 *     blosc chunk are not known yet
 * @param blosc the streams of a blosc chunk, or null
 */
public record DeviceEncoding(
        ChunkPipeline pipeline,
        DeviceCodecs codecs,
        Conversion conversion,
        NvcompFormat format,
        BloscStreams blosc)
        implements DecodeDecision {
    /** The encoding of plain elements. */
    public static final DeviceEncoding NONE = new DeviceEncoding(null, null, null, null, null);

    /** {@return the encoding of frames, or of blosc chunks before their streams are known} */
    public static DeviceEncoding of(
            ChunkPipeline pipeline, DeviceCodecs codecs, NvcompFormat format) {
        Conversion conversion = codecs.conversion().map(NumberConversions::of).orElse(null);
        return new DeviceEncoding(pipeline, codecs, conversion, format, null);
    }

    /** {@return the same encoding with the streams of a blosc chunk} */
    public DeviceEncoding with(NvcompFormat inner, BloscStreams streams) {
        return new DeviceEncoding(pipeline, codecs, conversion, inner, streams);
    }

    /** {@return the decoded size of a chunk in bytes; 0 for plain elements} */
    public long decodedBytes() {
        return pipeline == null ? 0 : pipeline.serializedBytesMax();
    }

    /**
     * {@return the layout into which a chunk's streams must be copied first; empty if they may
     * stay}
     */
    public Optional<AlignedStreams> aligned() {
        return blosc == null ? Optional.empty() : blosc.aligned();
    }

    /** {@return whether decoded bytes are byte-shuffled elements} */
    public boolean isShuffled() {
        return codecs != null && codecs.isShuffled();
    }
}
