package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.SmallNumberRun;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.json.JsonValues;
import io.zarrengine.zarr.json.JsonWriter;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The metadata of an array: its shape, data type, chunk grid and codecs. Immutable and validated:
 * arithmetic with its numbers is safe.
 */
public final class ArrayMetadata implements NodeMetadata {
    /** Maximum number of dimensions, which is the limit of NumPy. */
    public static final int RANK_MAX = 64;

    private final long[] shape;
    private final ChunkGrid chunkGrid;
    private final DataType dataType;
    private final byte[] fillValue;
    private final boolean hasFillValue;
    private final ChunkKeyEncoding chunkKeyEncoding;
    private final List<CodecSpec> codecs;
    private final Attributes attributes;
    private final List<String> dimensionNames; // null if there are none
    private final int zarrFormat;
    private final List<String> codecFields; // one for each codec

    private ArrayMetadata(Builder builder) {
        shape = builder.shape.clone();
        chunkGrid = builder.chunkGrid;
        dataType = builder.dataType;
        fillValue = builder.fillValue.clone();
        hasFillValue = builder.hasFillValue;
        SmallNumberRun.extend(SmallNumberRun.of(dataType), fillValue);
        chunkKeyEncoding = builder.chunkKeyEncoding;
        codecs = List.copyOf(builder.codecs);
        zarrFormat = builder.zarrFormat;
        codecFields = builder.codecFields == null ? codecFields(codecs) : builder.codecFields;
        attributes = builder.attributes;
        dimensionNames =
                builder.dimensionNames == null
                        ? null
                        : Collections.unmodifiableList(new ArrayList<>(builder.dimensionNames));
    }

    /**
     * {@return a builder}
     *
     * @param dataType the type of the elements
     * @param shape length of each dimension, {@code >= 0}
     */
    public static Builder builder(DataType dataType, long... shape) {
        return new Builder(dataType, shape);
    }

    @Override
    public int zarrFormat() {
        return zarrFormat;
    }

    /** {@return the size of all elements, in bytes; at most {@link Long#MAX_VALUE}} */
    public long byteSize() {
        BigInteger bytes = BigInteger.valueOf(dataType.byteSize());
        for (long length : shape) {
            bytes = bytes.multiply(BigInteger.valueOf(length));
        }
        return bytes.min(BigInteger.valueOf(Long.MAX_VALUE)).longValue();
    }

    /** {@return the number of dimensions} */
    public int rank() {
        return shape.length;
    }

    /** {@return the length of each dimension, in elements} */
    public long[] shape() {
        return shape.clone();
    }

    /** {@return the grid of chunks; of a sharded array, the grid of shards} */
    public ChunkGrid chunkGrid() {
        return chunkGrid;
    }

    /**
     * {@return the shape of a chunk of the grid, or of a shard if the array is sharded; the longest
     * length along each dimension if chunks differ}
     */
    public long[] chunkShape() {
        return chunkGrid.largestChunkShape();
    }

    /** {@return the type of the elements} */
    public DataType dataType() {
        return dataType;
    }

    /**
     * {@return the element for missing data, little-endian; for a type of variable length, its
     * content}
     */
    public byte[] fillValue() {
        return fillValue.clone();
    }

    /** {@return whether the document has one; in version 2 it may be null, which reads as zero} */
    public boolean hasFillValue() {
        return hasFillValue;
    }

    /** {@return the encoding of chunk keys} */
    public ChunkKeyEncoding chunkKeyEncoding() {
        return chunkKeyEncoding;
    }

    /** {@return the codecs of a chunk, in the order of encoding} */
    public List<CodecSpec> codecs() {
        return codecs;
    }

    /** {@return the document in the form of version 3} */
    @Override
    public String toString() {
        return "array of Zarr v"
                + zarrFormat
                + (zarrFormat == 3 ? " " : ", in version 3 ")
                + JsonWriter.toLine(MetadataWriter.toMap(this));
    }

    private static List<String> codecFields(List<CodecSpec> codecs) {
        return IntStream.range(0, codecs.size()).mapToObj(i -> "codecs[" + i + "]").toList();
    }

    /**
     * {@return the field of each codec in its document, for messages: {@code codecs[1]}, or {@code
     * compressor} and others in version 2}
     */
    public List<String> codecFields() {
        return codecFields;
    }

    @Override
    public Map<String, Object> attributes() {
        return attributes.get();
    }

    @Override
    public Optional<String> attributesProblem() {
        return attributes.invalidity();
    }

    /**
     * {@return a name for each dimension, null for one without; empty if no dimension has a name}
     */
    public Optional<List<String>> dimensionNames() {
        return Optional.ofNullable(dimensionNames);
    }

    /** Builds the metadata of an array. */
    public static final class Builder {
        private final DataType dataType;
        private final long[] shape;
        private ChunkGrid chunkGrid;
        private byte[] fillValue;
        private boolean hasFillValue = true;
        private ChunkKeyEncoding chunkKeyEncoding =
                new ChunkKeyEncoding(ChunkKeyEncoding.Style.DEFAULT, "/");
        private List<CodecSpec> codecs;
        private Attributes attributes = Attributes.NONE;
        private List<String> dimensionNames;
        private int zarrFormat = 3;
        private List<String> codecFields; // null means codecs[0] and so on

        private Builder(DataType dataType, long[] shape) {
            this.dataType = dataType;
            this.shape = shape.clone();
            this.chunkGrid =
                    ChunkGrid.regular(
                            Arrays.stream(shape).map(length -> Math.max(length, 1)).toArray());
            boolean variable = dataType instanceof VariableLengthType;
            this.fillValue = new byte[variable ? 0 : dataType.byteSize()];
            this.codecs = List.of(CodecSpec.plain(dataType));
        }

        /**
         * Sets the shape of a chunk of the grid. By default, the array is one chunk.
         *
         * @param newChunkShape length of each dimension, {@code > 0}
         * @return this
         */
        public Builder chunkShape(long... newChunkShape) {
            return chunkGrid(ChunkGrid.regular(newChunkShape));
        }

        /**
         * Sets the grid of chunks. By default, the array is one chunk.
         *
         * @param newChunkGrid the chunks of each dimension
         * @return this
         */
        public Builder chunkGrid(ChunkGrid newChunkGrid) {
            this.chunkGrid = newChunkGrid;
            return this;
        }

        /**
         * Sets the fill value. By default, all bits are zero.
         *
         * @param element one element, little-endian
         * @return this
         */
        public Builder fillValue(byte[] element) {
            this.fillValue = element.clone();
            return this;
        }

        /**
         * Sets the fill value. By default, all bits are zero.
         *
         * @param value as in metadata, e.g. a number or {@code "NaN"} for {@code float32}
         * @return this
         * @throws IllegalArgumentException if the value does not fit the type
         */
        public Builder fillValue(Object value) {
            return fillValue(dataType.fillValue(JsonValues.inValue(value)));
        }

        /** Notes that the document has none. */
        Builder withoutFillValue() {
            hasFillValue = false;
            return this;
        }

        /**
         * Sets the encoding of chunk keys. By default, keys look like {@code c/0/1}.
         *
         * @param newEncoding the encoding
         * @return this
         */
        public Builder chunkKeyEncoding(ChunkKeyEncoding newEncoding) {
            this.chunkKeyEncoding = newEncoding;
            return this;
        }

        /**
         * Sets the codecs of a chunk. By default, the {@code bytes} codec stores the elements
         * unchanged in little-endian order. Elements of variable length are stored one after the
         * other, with the codec of their type, e.g. {@code vlen-utf8} for strings.
         *
         * @param newCodecs in the order of encoding
         * @return this
         */
        public Builder codecs(List<CodecSpec> newCodecs) {
            this.codecs = List.copyOf(newCodecs);
            return this;
        }

        /** Sets the codecs, and the field of each in the document. */
        Builder codecs(List<CodecSpec> newCodecs, List<String> fields) {
            this.codecFields = List.copyOf(fields);
            return codecs(newCodecs);
        }

        /**
         * Sets the user's attributes.
         *
         * @param newAttributes JSON values, or numbers and arrays that can be converted to them
         * @return this
         * @throws IllegalArgumentException if one is not a JSON value; the message names it
         */
        public Builder attributes(Map<String, Object> newAttributes) {
            return attributes(Attributes.of(newAttributes));
        }

        Builder attributes(Attributes newAttributes) {
            this.attributes = newAttributes;
            return this;
        }

        /**
         * Sets a name for each dimension.
         *
         * @param names one for each dimension; null for a dimension without a name
         * @return this
         */
        public Builder dimensionNames(List<String> names) {
            this.dimensionNames = names;
            return this;
        }

        Builder zarrFormat(int newZarrFormat) {
            this.zarrFormat = newZarrFormat;
            return this;
        }

        /**
         * {@return the array}
         *
         * @throws IllegalArgumentException if the parts are inconsistent
         */
        public ArrayMetadata build() {
            long[] chunkShape = chunkGrid.largestChunkShape();
            if (shape.length > RANK_MAX) {
                throw new IllegalArgumentException("more than " + RANK_MAX + " dimensions");
            }
            if (chunkShape.length != shape.length) {
                throw new IllegalArgumentException(
                        "chunk shape "
                                + Arrays.toString(chunkShape)
                                + " has another rank than shape "
                                + Arrays.toString(shape));
            }
            if (!(dataType instanceof VariableLengthType)
                    && fillValue.length != dataType.byteSize()) {
                throw new IllegalArgumentException(
                        "the fill value has "
                                + fillValue.length
                                + " bytes, the data type "
                                + dataType.typeName()
                                + " has "
                                + dataType.byteSize());
            }
            if (dimensionNames != null && dimensionNames.size() != shape.length) {
                throw new IllegalArgumentException("there must be one name for each dimension");
            }
            checkLengths("shape", shape, 0);
            checkProduct("shape", shape, 1);
            checkLengths("chunk shape", chunkShape, 1);
            checkProduct("chunk shape", chunkShape, dataType.byteSize());
            for (int d = 0; d < shape.length; d++) {
                long covered = chunkGrid.dimensions().get(d).covered();
                if (covered < shape[d]) {
                    throw new IllegalArgumentException(
                            "the chunks of dimension "
                                    + d
                                    + " cover "
                                    + covered
                                    + " of "
                                    + shape[d]);
                }
            }
            return new ArrayMetadata(this);
        }

        private static void checkLengths(String name, long[] lengths, long min) {
            for (long length : lengths) {
                if (length < min) {
                    throw new IllegalArgumentException(
                            name + " " + Arrays.toString(lengths) + " has length " + length);
                }
            }
        }

        /**
         * Checks that the number of elements of an array, or of bytes of a chunk, fits in 63 bits.
         * Later products cannot overflow then.
         */
        private static void checkProduct(String name, long[] lengths, int elementBytes) {
            long bytes = elementBytes;
            for (long length : lengths) {
                long factor = Math.max(length, 1);
                if (bytes > Long.MAX_VALUE / factor) {
                    throw new IllegalArgumentException(
                            name
                                    + " "
                                    + Arrays.toString(lengths)
                                    + " makes "
                                    + product(lengths)
                                    + " elements"
                                    + (elementBytes == 1 ? "" : " of " + elementBytes + " bytes")
                                    + ", which do not fit in 63 bits");
                }
                bytes *= factor;
            }
        }

        private static BigInteger product(long[] lengths) {
            BigInteger product = BigInteger.ONE;
            for (long length : lengths) {
                product = product.multiply(BigInteger.valueOf(Math.max(length, 1)));
            }
            return product;
        }
    }
}
