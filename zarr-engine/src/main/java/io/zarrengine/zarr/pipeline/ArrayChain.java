package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.StructType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.filter.ArrayFilter;
import io.zarrengine.zarr.filter.ArrayFilterRegistry;
import io.zarrengine.zarr.filter.Categories;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.Numcodecs;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The codecs of a chain up to its array-to-bytes codec, built while metadata is read.
 *
 * <p>Transposes are not undone one by one: placing undoes them all with one permutation. Only the
 * codecs after one that depends on the order of elements (a <i>barrier</i>: delta, reshape, packed
 * bits) are undone in memory.
 */
final class ArrayChain {
    private static final String BYTES = "bytes";
    private static final String PACKBITS = "packbits";

    private static final String STRINGS = "vlen-utf8";
    private static final String BYTE_STRINGS = "vlen-bytes";
    private static final String ARRAYS = "vlen-array";
    private static final String JSON_VALUES = "json2";

    /** The codecs of elements of variable length, by their ids of numcodecs. */
    private static final List<String> OF_VARIABLE_LENGTH =
            List.of(STRINGS, BYTE_STRINGS, ARRAYS, JSON_VALUES);

    private final List<ArrayFilter> filters = new ArrayList<>();
    private final FillChain fill;
    private DataType type; // of the next codec's input
    private long elements; // of the next codec's input
    private long[] shape; // at the beginning, or after the last barrier
    private int[] order; // of the transposes since then
    private boolean isRounded; // by a codec that has nothing to undo
    private List<Integer> placedOrder; // of the transposes before the first barrier
    private List<Long> placedShape;

    /**
     * Begins a chain.
     *
     * @param type of the elements
     * @param shape of a chunk
     * @param fill the fill value, in native byte order
     */
    ArrayChain(DataType type, long[] shape, MemorySegment fill) {
        this.fill = new FillChain(fill);
        this.type = type;
        this.shape = shape.clone();
        this.elements = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        this.order = identity(shape.length);
    }

    private static int[] identity(int rank) {
        return IntStream.range(0, rank).toArray();
    }

    /**
     * Returns the names for which {@link #knows} or {@link #isSerializer} is true; in version 2,
     * the ids.
     */
    static List<String> names(int zarrFormat) {
        List<String> names = new ArrayList<>();
        if (zarrFormat == 2) {
            names.addAll(ArrayFilterRegistry.ids());
        } else {
            names.addAll(List.of(Transpose.NAME, Reshape.NAME));
            names.addAll(ArrayFilterRegistry.names());
            names.addAll(List.of(BYTES, PACKBITS));
        }
        names.addAll(OF_VARIABLE_LENGTH);
        return names;
    }

    /** Returns whether an array-to-array codec is known for the current type of the chain. */
    boolean knows(String name) {
        boolean labels = isCategorize(name) && type instanceof VariableLengthType;
        return !labels
                && (name.equals(Transpose.NAME)
                        || name.equals(Reshape.NAME)
                        || ArrayFilterRegistry.knows(name));
    }

    /** Returns whether a codec encodes an array as bytes. */
    static boolean isSerializer(String name) {
        return name.equals(BYTES)
                || name.equals(PACKBITS)
                || OF_VARIABLE_LENGTH.contains(Numcodecs.id(name))
                || isCategorize(name);
    }

    private static boolean isCategorize(String name) {
        return Numcodecs.id(name).equals(Categories.ID);
    }

    /** Returns whether every codec so far encodes each element by itself. */
    boolean isElementwise() {
        return placedOrder == null;
    }

    /**
     * Returns the permutation: encoded dimension i holds dimension {@code order().get(i)} of the
     * chunk.
     */
    List<Integer> order() {
        return placedOrder != null ? placedOrder : Arrays.stream(order).boxed().toList();
    }

    /** Returns the chunk's shape in that order. */
    List<Long> encodedShape() {
        return placedShape != null ? placedShape : Arrays.stream(permuted()).boxed().toList();
    }

    private long[] permuted() {
        return Arrays.stream(order).mapToLong(dimension -> shape[dimension]).toArray();
    }

    /** Adds a codec for which {@link #knows} is true. */
    void add(String name, JsonFields configuration) {
        switch (name) {
            case Transpose.NAME -> order = Transpose.after(order, configuration);
            case Reshape.NAME -> {
                barrier();
                setShape(Reshape.shape(configuration, shape));
            }
            default -> filter(name, configuration);
        }
    }

    private void filter(String name, JsonFields configuration) {
        ArrayFilterRegistry.Step step =
                ArrayFilterRegistry.parse(name, configuration, type, elements);
        if (!step.elementwise()) {
            barrier();
        }
        isRounded |= step.rounds();
        step.filter().ifPresent(filters::add);
        fill.add(ArrayFilterRegistry.parse(name, configuration, type, 1), type);
        type = step.stored();
        if (step.storedElements() != elements) {
            elements = step.storedElements();
            setShape(elements);
        }
    }

    private void setShape(long... newShape) {
        shape = newShape;
        order = identity(newShape.length);
    }

    /** Fixes the order of elements that the next codec gets. */
    private void barrier() {
        if (placedOrder == null) {
            placedShape = encodedShape();
            placedOrder = order();
        } else if (!Arrays.equals(order, identity(order.length))) {
            filters.add(
                    ArrayFilterRegistry.permute(
                            Arrays.stream(shape).boxed().toList(),
                            Arrays.stream(order).boxed().toList(),
                            type.byteSize()));
        }
        setShape(permuted());
    }

    /** {@return the element that fills a missing inner chunk; empty for the array's fill value} */
    Optional<MemorySegment> missingElement() {
        return fill.decoded();
    }

    /** {@return a new chain that begins with the next codec's input} */
    ArrayChain stored() {
        if (placedOrder != null) {
            barrier();
        }
        return new ArrayChain(type, shape, fill.stored());
    }

    DataType type() {
        return type;
    }

    /** {@return the fill value of the next codec's input, in native byte order} */
    MemorySegment fill() {
        return fill.stored();
    }

    /**
     * {@return the end of a chain that needs all elements of a chunk}
     *
     * @param serializer stores the elements of {@link #stored}
     */
    Serializer filteredChunk(Serializer serializer) {
        ArrayChain stored = stored();
        ChunkPipeline pipeline =
                new ChunkPipeline(
                        stored.order(),
                        stored.encodedShape(),
                        type.byteSize(),
                        serializer,
                        List.of());
        return new Serializer.FilteredChunk(
                ArrayFilterRegistry.fuse(filters), pipeline, stored.fill());
    }

    /** Ends the chain with a codec for which {@link #isSerializer} is true. */
    Serializer serializer(String name, JsonFields configuration) {
        if (type instanceof VariableLengthType variable) {
            return variableLength(name, variable, configuration);
        }
        if (placedOrder != null) {
            barrier();
        }
        return switch (name) {
            case BYTES -> bytes(configuration);
            case PACKBITS -> {
                filters.add(ArrayFilterRegistry.packedBits(configuration, type, elements));
                yield new Serializer.Filtered(ArrayFilterRegistry.fuse(filters));
            }
            default ->
                    throw configuration.error(
                            "cannot encode elements of the type " + type.typeName());
        };
    }

    private Serializer bytes(JsonFields configuration) {
        int unit = type.byteOrderUnit();
        ByteOrder stored = ByteOrder.LITTLE_ENDIAN;
        boolean mayBeMissing = unit == 1 || type instanceof StructType; // as zarr-python's
        if (configuration.any("endian") != null || !mayBeMissing) {
            stored = PipelineParser.byteOrder(configuration);
        }
        ArrayFilterRegistry.extendBits(type, elements).ifPresent(filters::add);
        if (filters.isEmpty() && unit != DataType.MIXED_UNITS) {
            int swapBytes = stored == ByteOrder.nativeOrder() ? 1 : unit;
            return new Serializer.Elements(swapBytes, isRounded);
        }
        Optional<ArrayFilter> reverse = ArrayFilterRegistry.reverseBytes(type, stored, elements);
        reverse.ifPresent(filters::add);
        return filters.isEmpty()
                ? new Serializer.Elements(1, isRounded)
                : new Serializer.Filtered(ArrayFilterRegistry.fuse(filters));
    }

    private Serializer variableLength(
            String name, VariableLengthType variable, JsonFields configuration) {
        String id =
                switch (variable.kind()) {
                    case STRING -> isCategorize(name) ? Categories.ID : STRINGS;
                    case BYTES -> BYTE_STRINGS;
                    case ARRAY -> ARRAYS;
                    case JSON -> JSON_VALUES;
                };
        if (!Numcodecs.id(name).equals(id)) {
            throw configuration.error("cannot encode elements of the type " + type.typeName());
        }
        VariableLengthLayout layout =
                switch (variable.kind()) {
                    case STRING ->
                            isCategorize(name)
                                    ? labelled(configuration)
                                    : new VariableLengthLayout.LengthPrefixed(true);
                    case BYTES, ARRAY -> new VariableLengthLayout.LengthPrefixed(false);
                    case JSON -> new VariableLengthLayout.JsonText();
                };
        Serializer elements = new Serializer.VariableLength(layout);
        if (placedOrder != null) {
            barrier();
        }
        return filters.isEmpty() ? elements : filteredChunk(elements);
    }

    private static VariableLengthLayout labelled(JsonFields configuration) {
        Categories categories = Categories.parse(configuration);
        List<MemorySegment> labels = new ArrayList<>();
        for (String label : categories.labels()) {
            try {
                byte[] text = VariableLengthType.STRING.fillValue(label);
                labels.add(MemorySegment.ofArray(text).asReadOnly());
            } catch (IllegalArgumentException e) {
                throw configuration.error("labels", "has one that is no text: " + e.getMessage());
            }
        }
        return new VariableLengthLayout.Labelled(categories, List.copyOf(labels));
    }
}
