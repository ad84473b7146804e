package io.zarrengine.zarr.pipeline;

import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.VariableLengthType;
import io.zarrengine.zarr.filter.ArrayFilter;
import io.zarrengine.zarr.filter.ArrayFilterRegistry;
import io.zarrengine.zarr.filter.Categories;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.pipeline.ChunkPipeline.Serializer;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * The codecs of a chain up to its array-to-bytes codec, as they are read from metadata.
 *
 * <p>Transposes are not undone one by one: placing does it, with one permutation. Only what stands
 * behind a codec that depends on the order of elements (a <i>barrier</i>: delta, reshape, packed
 * bits) is undone in memory.
 */
final class ArrayChain {
    private static final String BYTES = "bytes";
    private static final String PACKBITS = "packbits";

    private static final Set<String> STRINGS = Set.of("vlen-utf8", "numcodecs.vlen-utf8");
    private static final Set<String> BYTE_STRINGS = Set.of("vlen-bytes", "numcodecs.vlen-bytes");
    private static final Set<String> ARRAYS = Set.of("vlen-array", "numcodecs.vlen-array");
    private static final Set<String> JSON_VALUES = Set.of("json2", "numcodecs.json2");

    private static final Set<String> CATEGORIES = Set.of("categorize", "numcodecs.categorize");

    private final List<ArrayFilter> filters = new ArrayList<>();
    private final FillChain fill;
    private DataType type; // of what the next codec gets
    private long elements; // of what the next codec gets
    private long[] shape; // at the beginning, or behind the last barrier
    private int[] order; // of the transposes since then
    private boolean isRounded; // by a codec that has nothing to undo
    private List<Integer> placedOrder; // of those before the first barrier
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

    /** The names that {@link #knows} and {@link #isSerializer} know; in version 2, the ids. */
    static List<String> names(int zarrFormat) {
        List<String> names = new ArrayList<>();
        if (zarrFormat == 2) {
            names.addAll(ArrayFilterRegistry.ids());
        } else {
            names.addAll(List.of(Transpose.NAME, Reshape.NAME));
            names.addAll(ArrayFilterRegistry.names());
            names.addAll(List.of(BYTES, PACKBITS));
        }
        names.addAll(List.of("vlen-utf8", "vlen-bytes", "vlen-array", "json2"));
        return names;
    }

    /** Whether a codec encodes the array that this chain has made so far as another one. */
    boolean knows(String name) {
        boolean labels = CATEGORIES.contains(name) && type instanceof VariableLengthType;
        return !labels
                && (name.equals(Transpose.NAME)
                        || name.equals(Reshape.NAME)
                        || ArrayFilterRegistry.knows(name));
    }

    /** Whether a codec encodes an array as bytes. */
    static boolean isSerializer(String name) {
        return name.equals(BYTES)
                || name.equals(PACKBITS)
                || STRINGS.contains(name)
                || BYTE_STRINGS.contains(name)
                || ARRAYS.contains(name)
                || JSON_VALUES.contains(name)
                || CATEGORIES.contains(name);
    }

    /** Whether every codec so far encodes each element by itself. */
    boolean isElementwise() {
        return placedOrder == null;
    }

    /** Encoded dimension i holds dimension {@code order().get(i)} of the chunk. */
    List<Integer> order() {
        return placedOrder != null ? placedOrder : Arrays.stream(order).boxed().toList();
    }

    /** The chunk's shape in that order. */
    List<Long> encodedShape() {
        return placedShape != null ? placedShape : Arrays.stream(permuted()).boxed().toList();
    }

    private long[] permuted() {
        return Arrays.stream(order).mapToLong(dimension -> shape[dimension]).toArray();
    }

    /** Adds a codec that {@link #knows} knows. */
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

    /** What comes next sees the elements in the order that they have now. */
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

    /** {@return what stands where an inner chunk is missing, if not the fill value} */
    Optional<MemorySegment> missingElement() {
        return fill.decoded();
    }

    /** {@return what the codec behind this chain gets: the beginning of a chain without codecs} */
    ArrayChain stored() {
        if (placedOrder != null) {
            barrier();
        }
        return new ArrayChain(type, shape, fill.stored());
    }

    DataType type() {
        return type;
    }

    /** {@return the fill value of what the next codec gets, in native byte order} */
    MemorySegment fill() {
        return fill.stored();
    }

    /**
     * {@return the end of a chain that needs all elements of a chunk}
     *
     * @param serializer what becomes of what is {@link #stored}
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

    /** Ends the chain with a codec that {@link #isSerializer} knows. */
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
        boolean mayBeMissing = unit == 1 || unit == DataType.MIXED_UNITS; // zarr-python's structs
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
        Set<String> names =
                switch (variable.kind()) {
                    case STRING -> CATEGORIES.contains(name) ? CATEGORIES : STRINGS;
                    case BYTES -> BYTE_STRINGS;
                    case ARRAY -> ARRAYS;
                    case JSON -> JSON_VALUES;
                };
        if (!names.contains(name)) {
            throw configuration.error("cannot encode elements of the type " + type.typeName());
        }
        VariableLengthLayout layout =
                switch (variable.kind()) {
                    case STRING ->
                            CATEGORIES.contains(name)
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
