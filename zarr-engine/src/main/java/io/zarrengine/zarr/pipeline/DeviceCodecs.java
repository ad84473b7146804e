package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.ShuffleCodec;
import io.zarrengine.zarr.codec.Workspace;
import io.zarrengine.zarr.codec.blosc.BloscCodec;
import io.zarrengine.zarr.codec.deflate.GzipCodec;
import io.zarrengine.zarr.codec.deflate.ZlibCodec;
import io.zarrengine.zarr.codec.lz77.Lz4Codec;
import io.zarrengine.zarr.codec.zstd.ZstdCodec;
import io.zarrengine.zarr.errors.CodecException;
import io.zarrengine.zarr.filter.NumberSteps;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The codecs of a chunk as a GPU undoes them. The host removes the checksums. The GPU then undoes
 * at most one compressor, then byte shuffling if there is any, and filters that convert each number
 * by itself.
 *
 * @param compression the compressor
 * @param isShuffled whether the decompressed bytes are byte-shuffled elements
 * @param codecs compressor and shuffle, in the order of encoding, for a decoder on the host
 * @param checksums number of checksum codecs after them
 * @param conversion the steps of the filters; empty if there are none
 */
public record DeviceCodecs(
        Compression compression,
        boolean isShuffled,
        List<BytesCodec> codecs,
        int checksums,
        Optional<NumberSteps> conversion) {
    /** The format of the compressed bytes. */
    public enum Compression {
        /** Uncompressed elements. */
        NONE,
        /** A zstd frame. */
        ZSTD,
        /** The decoded size in 4 little-endian bytes, then a raw LZ4 block. */
        LZ4,
        /** A gzip member. */
        GZIP,
        /** A zlib stream. */
        ZLIB,
        /** A blosc chunk. */
        BLOSC
    }

    private static final int SHUFFLED_BYTES_MAX = 16; // limits of the kernels
    private static final int CONVERTED_RANK_MAX = 6;

    /**
     * {@return the codecs; empty if a GPU does not support the chain}
     *
     * @param pipeline of a chunk that is not a shard
     */
    public static Optional<DeviceCodecs> of(ChunkPipeline pipeline) {
        Optional<NumberSteps> conversion = Optional.empty();
        if (pipeline.serializer() instanceof Serializer.Filtered filtered) {
            conversion = NumberSteps.of(filtered.filters());
        }
        boolean isConverted = conversion.isPresent() && pipeline.rank() <= CONVERTED_RANK_MAX;
        if (!isConverted && !(pipeline.serializer() instanceof Serializer.Elements)) {
            return Optional.empty();
        }
        return of(pipeline, conversion);
    }

    private static Optional<DeviceCodecs> of(
            ChunkPipeline pipeline, Optional<NumberSteps> conversion) {
        List<BytesCodec> all = pipeline.bytesCodecs();
        int kept = all.size();
        while (kept > 0 && all.get(kept - 1) instanceof BytesCodec.Checksum) {
            kept--;
        }
        List<BytesCodec> codecs = all.subList(0, kept);
        boolean isShuffled = !codecs.isEmpty() && codecs.getFirst() instanceof ShuffleCodec;
        int storedBytes = storedElementBytes(pipeline, conversion);
        if (isShuffled && !canUnshuffle((ShuffleCodec) codecs.getFirst(), storedBytes)) {
            return Optional.empty();
        }
        List<BytesCodec> compressors = isShuffled ? codecs.subList(1, kept) : codecs;
        if (compressors.size() > 1) {
            return Optional.empty();
        }
        Compression compression =
                compressors.isEmpty() ? Compression.NONE : compression(compressors.getFirst());
        if (isShuffled && compression == Compression.BLOSC) { // Blosc has its own shuffling.
            return Optional.empty();
        }
        return Optional.ofNullable(compression)
                .map(known ->
                        new DeviceCodecs(
                                known, isShuffled, codecs, all.size() - codecs.size(), conversion));
    }

    /**
     * {@return the size of a stored element}
     *
     * @param pipeline of the chunk
     */
    public int storedElementBytes(ChunkPipeline pipeline) {
        return storedElementBytes(pipeline, conversion);
    }

    private static int storedElementBytes(
            ChunkPipeline pipeline, Optional<NumberSteps> conversion) {
        return conversion.map(steps -> steps.stored().byteSize()).orElse(pipeline.elementBytes());
    }

    private static boolean canUnshuffle(ShuffleCodec codec, int elementBytes) {
        int bytes = codec.elementBytes();
        return bytes == elementBytes && bytes <= SHUFFLED_BYTES_MAX && Integer.bitCount(bytes) == 1;
    }

    /** Returns null for a codec that a GPU does not support. */
    private static Compression compression(BytesCodec codec) {
        return switch (codec) {
            case ZstdCodec _ -> Compression.ZSTD;
            case Lz4Codec _ -> Compression.LZ4;
            case GzipCodec _ -> Compression.GZIP;
            case ZlibCodec _ -> Compression.ZLIB;
            case BloscCodec _ -> Compression.BLOSC;
            default -> null;
        };
    }

    /**
     * {@return a slice of a chunk without its checksums, which are compared first if the workspace
     * verifies checksums}
     *
     * @param pipeline of the chunk
     * @param encoded the chunk
     * @param workspace of the calling thread
     * @throws CodecException if a checksum is wrong
     */
    public MemorySegment withoutChecksums(
            ChunkPipeline pipeline, MemorySegment encoded, Workspace workspace)
            throws CodecException {
        List<BytesCodec> all = pipeline.bytesCodecs();
        if (checksums == 0) {
            return encoded;
        }
        return ChunkDecoder.decode(
                all.subList(all.size() - checksums, all.size()), encoded, encoded, workspace);
    }
}
