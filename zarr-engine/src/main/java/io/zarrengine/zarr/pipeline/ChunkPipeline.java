package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.codec.BytesCodec;
import io.zarrengine.zarr.codec.ChunkDecoder;
import io.zarrengine.zarr.codec.deflate.ZipDeflateCodec;
import io.zarrengine.zarr.filter.ArrayFilter;
import io.zarrengine.zarr.plan.InnerPieces;
import io.zarrengine.zarr.plan.PieceCursor;
import io.zarrengine.zarr.plan.Region;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;

/**
 * A checked chain of codecs for one chunk shape and one data type.
 *
 * <p>Dimensions come in two orders. <i>Logical</i> is the order of the array, or the encoded order
 * of the enclosing shard. <i>Encoded</i> is the order after the transpose codecs: encoded dimension
 * {@code i} holds logical dimension {@code order[i]}, and elements are in C order of the encoded
 * dimensions.
 *
 * <p>Immutable. Values needed for each chunk are computed once.
 */
public final class ChunkPipeline {
    private static final String FILTERS_UNWRITABLE =
            "cannot be written yet, only read: filters of elements";

    private static final long MARGIN_BYTES = 64 << 10;

    /** Limit from the 32-bit lengths in a chunk of elements of variable length. */
    private static final long VARIABLE_BYTES_MAX = 1L << 31;

    /** Usual ratio of decoded to encoded size for a chunk of unknown size. */
    private static final long UNKNOWN_EXPANSION = 8;

    /**
     * A window of 8 MiB, the largest that decoders must support (RFC 8878, 3.1.1.1.2), and the
     * other memory for decoding block by block.
     */
    private static final long STREAM_BYTES = 9 << 20;

    private final ChunkPipeline identity;
    private final List<Integer> order;
    private final boolean transposed;
    private final List<Long> encodedShape;
    private final long[] encodedLengths; // the same values
    private final int elementBytes;
    private final Serializer serializer;
    private final List<BytesCodec> bytesCodecs;
    private final long decodedBytes;
    private final long encodedBytesMax;
    private final OptionalLong encodedBytesExact;

    /**
     * Creates a pipeline.
     *
     * @param order the permutation
     * @param encodedShape length of each encoded dimension, in elements
     * @param elementBytes size of an element
     * @param serializer the array-to-bytes codec
     * @param bytesCodecs the bytes-to-bytes codecs, in the order of encoding
     */
    public ChunkPipeline(
            List<Integer> order,
            List<Long> encodedShape,
            int elementBytes,
            Serializer serializer,
            List<BytesCodec> bytesCodecs) {
        this.identity = this;
        this.order = order;
        this.transposed = !order.equals(IntStream.range(0, order.size()).boxed().toList());
        this.encodedShape = encodedShape;
        this.encodedLengths = encodedShape.stream().mapToLong(length -> length).toArray();
        this.elementBytes = elementBytes;
        this.serializer = serializer;
        this.bytesCodecs = bytesCodecs;
        this.decodedBytes =
                Arrays.stream(encodedLengths).reduce(elementBytes, (a, b) -> a * b); // fits
        this.encodedBytesMax = computeEncodedBytesMax();
        this.encodedBytesExact = computeEncodedBytesExact();
    }

    /** Creates a pipeline with more bytes-to-bytes codecs. */
    private ChunkPipeline(ChunkPipeline pipeline, List<BytesCodec> bytesCodecs) {
        this.identity = pipeline.identity;
        this.order = pipeline.order;
        this.transposed = pipeline.transposed;
        this.encodedShape = pipeline.encodedShape;
        this.encodedLengths = pipeline.encodedLengths;
        this.elementBytes = pipeline.elementBytes;
        this.serializer = pipeline.serializer;
        this.bytesCodecs = List.copyOf(bytesCodecs);
        this.decodedBytes = pipeline.decodedBytes;
        this.encodedBytesMax = computeEncodedBytesMax();
        this.encodedBytesExact = computeEncodedBytesExact();
    }

    /** {@return the permutation: encoded dimension {@code i} is dimension {@code order[i]}} */
    public List<Integer> order() {
        return order;
    }

    /**
     * {@return regions of a chunk, in its encoded dimensions}
     *
     * @param regions in its logical dimensions
     */
    public List<Region> toEncodedOrder(List<Region> regions) {
        return transposed
                ? regions.stream().map(region -> region.permuted(order)).toList()
                : regions;
    }

    /**
     * Moves a cursor to a piece of the shard that has this inner chunk, in the inner chunk's
     * encoded dimensions.
     *
     * @param cursor to move
     * @param pieces of the shard
     * @param piece number of the piece
     */
    public void goTo(PieceCursor cursor, InnerPieces pieces, int piece) {
        cursor.set(pieces, piece, transposed ? order : null);
    }

    /** {@return the length of each encoded dimension, in elements} */
    public List<Long> encodedShape() {
        return encodedShape;
    }

    /** {@return the same lengths as an array, which must not be modified} */
    public long[] encodedLengths() {
        return encodedLengths;
    }

    /** {@return the size of an element} */
    public int elementBytes() {
        return elementBytes;
    }

    /** {@return the array-to-bytes codec} */
    public Serializer serializer() {
        return serializer;
    }

    /** {@return the bytes-to-bytes codecs, in the order of encoding} */
    public List<BytesCodec> bytesCodecs() {
        return bytesCodecs;
    }

    /** The array-to-bytes codec of a chain. */
    public sealed interface Serializer {
        /**
         * The {@code bytes} codec: contiguous elements.
         *
         * @param swapBytes size of the units whose bytes are not in native order; 1 if there are
         *     none
         * @param isRounded whether a codec rounded the elements, which leaves nothing to undo
         */
        record Elements(int swapBytes, boolean isRounded) implements Serializer {}

        /**
         * Elements stored in another form.
         *
         * @param filters in the order of encoding; at least one
         */
        record Filtered(List<ArrayFilter> filters) implements Serializer {
            /** {@return the size of the stored form in bytes} */
            public long storedBytes() {
                return filters.getLast().encodedBytes();
            }

            /** {@return whether memory may hold the elements as they are stored} */
            public boolean keepsValues() {
                return filters.stream().allMatch(ArrayFilter::keepsValues);
            }
        }

        /**
         * Elements of variable length: {@code vlen-utf8} and others.
         *
         * @param layout of the elements in a chunk
         */
        record VariableLength(VariableLengthLayout layout) implements Serializer {}

        /**
         * The {@code sharding_indexed} codec: inner chunks and an index of them.
         *
         * @param index the position and form of the index
         * @param chunksPerShard inner chunks along each encoded dimension
         * @param inner the pipeline of an inner chunk; its logical dimensions are the encoded
         *     dimensions of the shard
         * @param missing the element that fills a missing inner chunk, in native byte order; empty
         *     for the array's fill value
         */
        record Shard(
                ShardIndexCodec index,
                List<Long> chunksPerShard,
                ChunkPipeline inner,
                Optional<MemorySegment> missing)
                implements Serializer {
            /** {@return the number of inner chunks} */
            public long chunks() {
                long chunks = 1;
                for (long along : chunksPerShard) {
                    chunks *= along;
                }
                return chunks;
            }

            /**
             * {@return parts of a shard, cut along its inner chunks}
             *
             * @param encodedLengths the shard's encoded shape, in elements
             * @param parts the positions wanted, in the shard's encoded dimensions
             */
            public InnerPieces cut(long[] encodedLengths, List<Region> parts) {
                long[] perShard = new long[encodedLengths.length];
                long[] innerShape = new long[encodedLengths.length];
                for (int d = 0; d < innerShape.length; d++) {
                    perShard[d] = chunksPerShard.get(d);
                    innerShape[d] = encodedLengths[d] / perShard[d];
                }
                return new InnerPieces(parts, innerShape, perShard);
            }

            /**
             * {@return the usual size of a shard at most, in bytes: its index, and inner chunks
             * that do not grow when they are encoded}
             *
             * @param encodedLengths the shard's encoded shape, in elements
             * @param part the written part, from the first element on, in encoded dimensions
             */
            public long likelyBytesMax(long[] encodedLengths, long[] part) {
                long each = inner.encodedBytesExact().orElse(inner.decodedBytes());
                double count = 1;
                for (int d = 0; d < part.length; d++) {
                    long perChunk = encodedLengths[d] / chunksPerShard.get(d);
                    count *= Math.ceilDiv(Math.min(part[d], encodedLengths[d]), perChunk);
                }
                return (long) (indexBytes() + count * each);
            }

            /** {@return the size of the encoded index in bytes} */
            public long indexBytes() {
                return index.encodedBytes(chunks());
            }
        }

        /**
         * A shard, or elements of variable length, after filters that need all elements. No part of
         * it can be read alone.
         *
         * @param filters in the order of encoding; empty after a codec that only changes the shape
         * @param stored the pipeline of the last filter's output, without transposition
         * @param fill the fill value of that output, in native byte order
         */
        record FilteredChunk(List<ArrayFilter> filters, ChunkPipeline stored, MemorySegment fill)
                implements Serializer {}
    }

    /**
     * {@return a pipeline with the same elements and other bytes-to-bytes codecs}
     *
     * @param newBytesCodecs in the order of encoding
     */
    public ChunkPipeline with(List<BytesCodec> newBytesCodecs) {
        return new ChunkPipeline(order, encodedShape, elementBytes, serializer, newBytesCodecs);
    }

    /**
     * {@return a pipeline whose chunks are also compressed by a zip file}
     *
     * @param chunkBytes the size of the chunk before the zip file compressed it
     * @param crc32 of those bytes
     */
    public ChunkPipeline inZip(long chunkBytes, int crc32) {
        List<BytesCodec> codecs = new ArrayList<>(bytesCodecs);
        codecs.add(new ZipDeflateCodec(chunkBytes, crc32));
        return new ChunkPipeline(this, codecs);
    }

    /**
     * {@return the pipeline's identity in a cache: the pipeline without the codec of a zip file}
     */
    public ChunkPipeline identity() {
        return identity;
    }

    /** {@return the pipeline of the smallest chunks that can be found without decoding others} */
    public ChunkPipeline innermost() {
        return serializer instanceof Serializer.Shard shard && bytesCodecs.isEmpty()
                ? shard.inner().innermost()
                : this;
    }

    /**
     * {@return the shape of the smallest chunk inside, in the logical dimensions of this pipeline}
     */
    public long[] innermostShape() {
        long[] encoded =
                serializer instanceof Serializer.Shard shard && bytesCodecs.isEmpty()
                        ? shard.inner().innermostShape()
                        : encodedLengths;
        long[] logical = new long[rank()];
        for (int i = 0; i < logical.length; i++) {
            logical[order.get(i)] = encoded[i];
        }
        return logical;
    }

    /** {@return the number of dimensions} */
    public int rank() {
        return order.size();
    }

    /** {@return the size in bytes of all elements of a chunk} */
    public long decodedBytes() {
        return decodedBytes;
    }

    /**
     * {@return the largest encoded chunk that is read, in bytes}
     *
     * <p>This is 1.5 times the limit of the engine's encoders, because another encoder may be a
     * little worse. A larger chunk is refused before memory is allocated for it.
     */
    public long encodedBytesMax() {
        return encodedBytesMax;
    }

    private long computeEncodedBytesMax() {
        long bytes = serializedBytesMax();
        for (BytesCodec codec : bytesCodecs) {
            bytes = codec.encodedBytesMax(bytes);
        }
        return bytesCodecs.isEmpty() ? bytes : bytes + bytes / 2 + MARGIN_BYTES;
    }

    /**
     * {@return the size of the serializer's output in bytes; for a shard, the largest possible
     * size}
     */
    public long serializedBytesMax() {
        long bytes = decodedBytes();
        return switch (serializer) {
            case Serializer.Elements elements -> bytes;
            case Serializer.Filtered filtered -> filtered.storedBytes();
            case Serializer.VariableLength variable -> VARIABLE_BYTES_MAX;
            case Serializer.Shard shard ->
                    shard.inner().hasVariableLength()
                            ? VARIABLE_BYTES_MAX
                            : bytes
                                    + bytes / 2
                                    + shard.chunks() * MARGIN_BYTES
                                    + shard.indexBytes();
            case Serializer.FilteredChunk filtered -> filtered.stored().serializedBytesMax();
        };
    }

    private boolean hasVariableLength() {
        return switch (serializer) {
            case Serializer.Elements _, Serializer.Filtered _ -> false;
            case Serializer.VariableLength _ -> true;
            case Serializer.Shard shard -> shard.inner().hasVariableLength();
            case Serializer.FilteredChunk filtered -> filtered.stored().hasVariableLength();
        };
    }

    /**
     * {@return the memory for decoding a chunk besides its encoded bytes, in bytes; an estimate if
     * the decoded size is not known}
     *
     * @param encodedBytes the size of the encoded chunk
     */
    public long workspaceBytes(long encodedBytes) {
        if (serializer instanceof Serializer.VariableLength) {
            return UNKNOWN_EXPANSION * encodedBytes + MARGIN_BYTES;
        }
        if (serializer instanceof Serializer.Shard shard) {
            long inner = shard.inner().workspaceBytes(encodedBytes);
            return UNKNOWN_EXPANSION * encodedBytes + MARGIN_BYTES + inner;
        }
        if (serializer instanceof Serializer.FilteredChunk filtered) {
            return filtered.stored().workspaceBytes(encodedBytes)
                    + filtered.stored().decodedBytes()
                    + filteredBytes(filtered.filters());
        }
        long bytes = serializedBytesMax();
        boolean isStreamed = bytesCodecs.size() == 1 && ChunkDecoder.streams(bytesCodecs, bytes);
        if (isStreamed && serializer instanceof Serializer.Elements) {
            return Math.min(bytes, STREAM_BYTES); // the decoder reports if it needs more
        }
        long between = bytes;
        for (BytesCodec codec : bytesCodecs) {
            between = codec.encodedBytesMax(between);
            bytes += between; // An upper bound: the last codec's input is the chunk itself.
        }
        if (serializer instanceof Serializer.Filtered filtered) {
            bytes += filteredBytes(filtered.filters());
        }
        return bytes;
    }

    private long filteredBytes(List<ArrayFilter> filters) {
        return decodedBytes() + filters.stream().mapToLong(ArrayFilter::encodedBytes).sum();
    }

    /** {@return whether elements are stored as they are, except for byte order} */
    public boolean isPlain() {
        return serializer instanceof Serializer.Elements && bytesCodecs.isEmpty();
    }

    /**
     * {@return the size of the units whose bytes must be reversed; 1 for none}
     *
     * @throws ClassCastException if the serializer is not {@link Serializer.Elements}
     */
    public int swapBytes() {
        return ((Serializer.Elements) serializer).swapBytes();
    }

    /** {@return whether decoding writes its result to the target that it gets} */
    public boolean decodesToTarget() {
        return !bytesCodecs.isEmpty() && bytesCodecs.getFirst() instanceof BytesCodec.Compressor;
    }

    /**
     * {@return the reason why the engine cannot encode chunks; empty if it can. It can decode all
     * of them}
     */
    public Optional<String> unwritable() {
        long bytes = decodedBytes;
        for (BytesCodec codec : bytesCodecs) {
            if (!codec.canEncode()) {
                return Optional.of("cannot be written, only read: " + codec.name());
            }
            if (bytes > codec.encodableBytesMax()) {
                return Optional.of(
                        "cannot be written, only read: %s of %d bytes, more than %d"
                                .formatted(codec.name(), bytes, codec.encodableBytesMax()));
            }
            bytes = codec.encodedBytesMax(bytes);
        }
        return switch (serializer) {
            case Serializer.Elements elements ->
                    elements.isRounded() ? Optional.of(FILTERS_UNWRITABLE) : Optional.empty();
            case Serializer.Shard shard -> shard.inner().unwritable();
            case Serializer.Filtered filtered ->
                    filtered.keepsValues() ? Optional.empty() : Optional.of(FILTERS_UNWRITABLE);
            case Serializer.FilteredChunk filtered -> Optional.of(FILTERS_UNWRITABLE);
            case Serializer.VariableLength variable ->
                    Optional.of("cannot be written yet, only read: elements of variable length");
        };
    }

    /** {@return the size of an encoded chunk in bytes; empty if the sizes differ} */
    public OptionalLong encodedBytesExact() {
        return encodedBytesExact;
    }

    private OptionalLong computeEncodedBytesExact() {
        if (!bytesCodecs.isEmpty()) {
            return OptionalLong.empty();
        }
        return switch (serializer) {
            case Serializer.Elements elements -> OptionalLong.of(decodedBytes());
            case Serializer.Filtered filtered -> OptionalLong.of(filtered.storedBytes());
            case Serializer.VariableLength variable -> OptionalLong.empty();
            case Serializer.Shard shard -> OptionalLong.empty();
            case Serializer.FilteredChunk filtered -> OptionalLong.empty();
        };
    }
}
