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
 * How a chunk is encoded: a chain of codecs for one chunk shape and one data type, checked.
 *
 * <p>Dimensions come in two orders. <i>Logical</i> is the array's, or the enclosing shard's encoded
 * order. <i>Encoded</i> is what is left after the transpose codecs: encoded dimension {@code i}
 * holds logical dimension {@code order[i]}, and elements lie in C order of the encoded dimensions.
 *
 * <p>Immutable. What is asked for each chunk is worked out once.
 */
public final class ChunkPipeline {
    private static final String FILTERS_UNWRITABLE =
            "cannot be written yet, only read: filters of elements";

    private static final long MARGIN_BYTES = 64 << 10;

    /** The lengths in a chunk of elements of variable length have 32 bits. */
    private static final long VARIABLE_BYTES_MAX = 1L << 31;

    /** How many times as large as its encoded form a chunk of unknown size is, usually. */
    private static final long UNKNOWN_EXPANSION = 8;

    /**
     * A window of 8 MiB, more than which decoders need not support (RFC 8878, 3.1.1.1.2), and what
     * decoding block by block takes besides.
     */
    private static final long STREAM_BYTES = 9 << 20;

    private final ChunkPipeline identity;
    private final List<Integer> order;
    private final boolean transposed;
    private final List<Long> encodedShape;
    private final long[] encodedLengths; // the same
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
     * @param serializer what becomes of the elements
     * @param bytesCodecs what becomes of their bytes, in the order of encoding
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
                Arrays.stream(encodedLengths).reduce(elementBytes, (a, b) -> a * b); // Fits.
        this.encodedBytesMax = computeEncodedBytesMax();
        this.encodedBytesExact = computeEncodedBytesExact();
    }

    /** The same elements, encoded further. */
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
     * Goes to a piece of the shard that this is an inner chunk of, in its encoded dimensions.
     *
     * @param cursor goes there
     * @param pieces of the shard
     * @param piece which
     */
    public void goTo(PieceCursor cursor, InnerPieces pieces, int piece) {
        cursor.set(pieces, piece, transposed ? order : null);
    }

    /** {@return the length of each encoded dimension, in elements} */
    public List<Long> encodedShape() {
        return encodedShape;
    }

    /** {@return the same as an array, which belongs to this} */
    public long[] encodedLengths() {
        return encodedLengths;
    }

    /** {@return the size of an element} */
    public int elementBytes() {
        return elementBytes;
    }

    /** {@return what becomes of the elements} */
    public Serializer serializer() {
        return serializer;
    }

    /** {@return what becomes of their bytes, in the order of encoding} */
    public List<BytesCodec> bytesCodecs() {
        return bytesCodecs;
    }

    /** The array-to-bytes codec of a chain. */
    public sealed interface Serializer {
        /**
         * The {@code bytes} codec: elements one behind the other.
         *
         * @param swapBytes size of the units whose bytes are in the other order than this
         *     machine's; 1 if none are
         * @param isRounded whether they were rounded before: there is nothing to undo
         */
        record Elements(int swapBytes, boolean isRounded) implements Serializer {}

        /**
         * Elements that are stored in another form.
         *
         * @param filters from one form to the next, in the order of encoding; at least one
         */
        record Filtered(List<ArrayFilter> filters) implements Serializer {
            /** {@return the size of the stored form in bytes} */
            public long storedBytes() {
                return filters.getLast().encodedBytes();
            }

            /** {@return whether elements may be stored as they are in memory} */
            public boolean keepsValues() {
                return filters.stream().allMatch(ArrayFilter::keepsValues);
            }
        }

        /**
         * Elements of their own length each: {@code vlen-utf8} and others.
         *
         * @param layout how they follow one another
         */
        record VariableLength(VariableLengthLayout layout) implements Serializer {}

        /**
         * The {@code sharding_indexed} codec: inner chunks and an index of them.
         *
         * @param index where and how the index is stored
         * @param chunksPerShard inner chunks along each encoded dimension
         * @param inner how an inner chunk is encoded; its logical dimensions are this one's encoded
         * @param missing the element, in native byte order, that stands where an inner chunk is
         *     missing; empty: the array's fill value
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
             * @param parts the positions wanted, in these dimensions
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

            /** {@return the size of the encoded index in bytes} */
            public long indexBytes() {
                return index.encodedBytes(chunks());
            }
        }

        /**
         * A shard, or elements of variable length, behind filters that need all elements: no part
         * of it can be read alone.
         *
         * @param filters from one form to the next, in the order of encoding; none behind a codec
         *     that only says another shape
         * @param stored how what the last one made is stored, without transposition
         * @param fill the fill value of that, in native byte order
         */
        record FilteredChunk(List<ArrayFilter> filters, ChunkPipeline stored, MemorySegment fill)
                implements Serializer {}
    }

    /**
     * {@return a pipeline that encodes the same elements further}
     *
     * @param newBytesCodecs what becomes of their bytes
     */
    public ChunkPipeline with(List<BytesCodec> newBytesCodecs) {
        return new ChunkPipeline(order, encodedShape, elementBytes, serializer, newBytesCodecs);
    }

    /**
     * {@return a pipeline whose chunks a zip file has compressed once more}
     *
     * @param chunkBytes the size of the chunk before that
     * @param crc32 of those bytes
     */
    public ChunkPipeline inZip(long chunkBytes, int crc32) {
        List<BytesCodec> codecs = new ArrayList<>(bytesCodecs);
        codecs.add(new ZipDeflateCodec(chunkBytes, crc32));
        return new ChunkPipeline(this, codecs);
    }

    /**
     * {@return what tells the pipelines of an array's chunks apart, in a cache: the pipeline
     * without what a zip file added}
     */
    public ChunkPipeline identity() {
        return identity;
    }

    /** {@return how the smallest chunks are encoded that are found without decoding others} */
    public ChunkPipeline innermost() {
        return serializer instanceof Serializer.Shard shard && bytesCodecs.isEmpty()
                ? shard.inner().innermost()
                : this;
    }

    /** {@return the shape of the smallest chunk inside, in this one's logical dimensions} */
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
     * {@return the largest size in bytes that an encoded chunk is read at}
     *
     * <p>Half as much again as our own encoders can make of it: another encoder may be a little
     * worse, but a size beyond that is no chunk, and nothing is allocated for it.
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
     * {@return the size in bytes of what the serializer makes; of a shard, the most that it can be}
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
     * {@return the memory in bytes that decoding a chunk takes besides its encoded bytes; where the
     * decoded size is not known, a guess}
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
            return Math.min(bytes, STREAM_BYTES); // It says itself if it takes more.
        }
        long between = bytes;
        for (BytesCodec codec : bytesCodecs) {
            between = codec.encodedBytesMax(between);
            bytes +=
                    between; // More than one codec needs: the last one's input is the chunk itself.
        }
        if (serializer instanceof Serializer.Filtered filtered) {
            bytes += filteredBytes(filtered.filters());
        }
        return bytes;
    }

    private long filteredBytes(List<ArrayFilter> filters) {
        return decodedBytes() + filters.stream().mapToLong(ArrayFilter::encodedBytes).sum();
    }

    /** {@return whether elements are stored as they are, but for the order of their bytes} */
    public boolean isPlain() {
        return serializer instanceof Serializer.Elements && bytesCodecs.isEmpty();
    }

    /**
     * {@return how many bytes are to be reversed together: 1 for none}
     *
     * @throws ClassCastException if these are no elements
     */
    public int swapBytes() {
        return ((Serializer.Elements) serializer).swapBytes();
    }

    /** {@return whether decoding writes its result to the target that it is given} */
    public boolean decodesToTarget() {
        return !bytesCodecs.isEmpty() && bytesCodecs.getFirst() instanceof BytesCodec.Compressor;
    }

    /** {@return why no chunk can be encoded here, or empty if all can; all can be decoded} */
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

    /** {@return the size of an encoded chunk in bytes, if all of them have the same} */
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
