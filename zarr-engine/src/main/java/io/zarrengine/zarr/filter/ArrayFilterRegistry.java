package io.zarrengine.zarr.filter;

import io.zarrengine.zarr.datatype.ByteOrderRun;
import io.zarrengine.zarr.datatype.DataType;
import io.zarrengine.zarr.datatype.DataTypes;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.datatype.NumericType.Kind;
import io.zarrengine.zarr.datatype.NumpyType;
import io.zarrengine.zarr.datatype.SmallNumberRun;
import io.zarrengine.zarr.filter.PackedBits.Layout;
import io.zarrengine.zarr.filter.PackedBits.Padding;
import io.zarrengine.zarr.json.JsonFields;
import io.zarrengine.zarr.json.Numcodecs;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The array-to-array codecs by name, and the other steps between bytes and elements. */
public final class ArrayFilterRegistry {
    /** Names that are also known with the prefix {@code numcodecs.}. */
    private static final List<String> OF_NUMCODECS =
            List.of("delta", "fixedscaleoffset", "quantize", "bitround", "astype", Categories.ID);

    private static final List<String> OTHERS =
            List.of(Numcodecs.name("packbits"), ScaleOffset.NAME, CastValue.NAME);

    private ArrayFilterRegistry() {}

    /**
     * The effect of a codec on an array.
     *
     * @param filter undoes the codec; empty if there is nothing to undo
     * @param stored the type of the stored elements
     * @param storedElements number of stored elements
     * @param elementwise whether each element is encoded by itself
     * @param fill computes the stored fill value from the array's fill value (its input is a wanted
     *     element, its output a stored one); empty if they are the same
     * @param rounds whether the codec changes elements although there is nothing to undo
     */
    public record Step(
            Optional<ArrayFilter> filter,
            DataType stored,
            long storedElements,
            boolean elementwise,
            Optional<ArrayFilter> fill,
            boolean rounds) {
        Step(
                ArrayFilter filter,
                DataType stored,
                long storedElements,
                boolean elementwise,
                Optional<ArrayFilter> fill) {
            this(Optional.of(filter), stored, storedElements, elementwise, fill, false);
        }
    }

    /** {@return the known names; some are also known with the prefix {@code numcodecs.}} */
    public static List<String> names() {
        return Stream.concat(OF_NUMCODECS.stream(), OTHERS.stream()).toList();
    }

    /** {@return the known ids of version 2} */
    public static List<String> ids() {
        return Stream.concat(OF_NUMCODECS.stream(), Stream.of("packbits")).toList();
    }

    /**
     * {@return whether an array-to-array codec is known}
     *
     * @param name in metadata
     */
    public static boolean knows(String name) {
        return OTHERS.contains(name) || OF_NUMCODECS.contains(Numcodecs.id(name));
    }

    /**
     * {@return the effect of a codec on an array}
     *
     * @param name {@linkplain #knows known} name of the codec
     * @param configuration its configuration
     * @param type the type of the array's elements
     * @param elements number of elements
     * @throws io.zarrengine.zarr.errors.FormatException if the configuration is not valid, or does
     *     not fit the type
     */
    public static Step parse(String name, JsonFields configuration, DataType type, long elements) {
        if (Numcodecs.id(name).equals(Categories.ID)) {
            return Categorize.parse(name, configuration, type, elements);
        }
        if (!(type instanceof NumericType number)) {
            throw configuration.error("cannot encode elements of the type " + type.typeName());
        }
        return new Parser(name, configuration, number, elements).step();
    }

    /**
     * {@return filters with the same effect in fewer passes}
     *
     * @param filters in the order of encoding; so is the result
     */
    public static List<ArrayFilter> fuse(List<ArrayFilter> filters) {
        return FusedFilters.fuse(filters);
    }

    /**
     * {@return a filter from the stored byte order to the native one; empty if they are the same}
     *
     * @param type the type of the elements
     * @param stored their byte order
     * @param elements number of elements
     */
    public static Optional<ArrayFilter> reverseBytes(
            DataType type, ByteOrder stored, long elements) {
        List<ByteOrderRun> runs = ByteOrderRun.of(type);
        return stored == ByteOrder.nativeOrder() || runs.isEmpty()
                ? Optional.empty()
                : Optional.of(new ReverseBytes(runs, type.byteSize(), elements));
    }

    /**
     * {@return a filter that sets the upper bits of numbers of less than 8 bits, which the {@code
     * bytes} codec does not define; empty if there are no such numbers}
     *
     * @param type the type of the elements
     * @param elements number of elements
     */
    public static Optional<ArrayFilter> extendBits(DataType type, long elements) {
        List<SmallNumberRun> runs = SmallNumberRun.of(type);
        return runs.isEmpty()
                ? Optional.empty()
                : Optional.of(new ExtendBits(runs, type.byteSize(), elements));
    }

    /**
     * {@return a filter from the transposed order of elements to the order of the chunk}
     *
     * @param shape of the chunk, before it was transposed
     * @param order encoded dimension {@code i} is dimension {@code order[i]}
     * @param elementBytes size of an element
     */
    public static ArrayFilter permute(List<Long> shape, List<Integer> order, int elementBytes) {
        return new Permute(shape, order, elementBytes);
    }

    /**
     * {@return a filter that unpacks the bits of the {@code packbits} codec}
     *
     * @param configuration its configuration
     * @param type the type of the elements
     * @param elements number of elements
     * @throws io.zarrengine.zarr.errors.FormatException if the configuration is not valid, or does
     *     not fit the type
     */
    public static ArrayFilter packedBits(JsonFields configuration, DataType type, long elements) {
        if (!(type instanceof NumericType number)) {
            throw configuration.error("cannot encode elements of the type " + type.typeName());
        }
        boolean complex = number.kind() == Kind.COMPLEX;
        NumericType part = complex ? number.part() : number;
        int typeBits = part == NumericType.BOOL ? 1 : part.bits();
        int first = bit(configuration, "first_bit", 0, typeBits - 1, 0);
        int last = bit(configuration, "last_bit", first, typeBits - 1, typeBits - 1);
        String padding = configuration.string("padding_encoding", "none");
        Padding where =
                switch (padding) {
                    case "none" -> Padding.NONE;
                    case "first_byte" -> Padding.FIRST_BYTE;
                    case "last_byte" -> Padding.LAST_BYTE;
                    default ->
                            throw configuration.error(
                                    "padding_encoding",
                                    "is \""
                                            + padding
                                            + "\", expected \"none\", \"first_byte\" or"
                                            + " \"last_byte\"");
                };
        Layout layout = new Layout(where, first, last - first + 1, false);
        return new PackedBits("packbits", part, layout, complex ? 2 * elements : elements);
    }

    private static int bit(JsonFields configuration, String name, int min, int max, int otherwise) {
        return configuration.any(name) == null
                ? otherwise
                : (int) configuration.integer(name, min, max);
    }

    /** Parses one codec's configuration. */
    private record Parser(String name, JsonFields configuration, NumericType type, long elements) {
        Step step() {
            return switch (Numcodecs.id(name)) {
                case "delta" -> delta();
                case "fixedscaleoffset" -> fixedScaleOffset();
                case "astype" -> asType();
                case "quantize" -> quantize();
                case "bitround" -> unchanged(true);
                case "packbits" -> numcodecsPackBits();
                case ScaleOffset.NAME -> scaleOffset();
                case CastValue.NAME -> castValue();
                default -> throw new AssertionError(name);
            };
        }

        private Step delta() {
            NumericType wanted = wantedType("dtype");
            NumericType stored = numpyType("astype", wanted);
            refuse(wanted.kind() == Kind.COMPLEX || wanted.kind() == Kind.BOOL, wanted);
            refuse(stored.kind() == Kind.COMPLEX, stored);
            return new Step(
                    new Delta(name, stored, wanted, elements),
                    stored,
                    elements,
                    false,
                    castFill(stored));
        }

        private Step fixedScaleOffset() {
            NumericType wanted = wantedType("dtype");
            NumericType stored = numpyType("astype", wanted);
            refuse(wanted.kind() == Kind.COMPLEX, wanted);
            refuse(stored.kind() == Kind.COMPLEX, stored);
            double scale = number("scale");
            double offset = number("offset");
            return elementwise(
                    new FixedScaleOffset(name, stored, wanted, scale, offset, elements), stored);
        }

        private Step asType() {
            return cast(numpyType("encode_dtype", type), wantedType("decode_dtype"), false);
        }

        private Step quantize() {
            NumericType wanted = wantedType("dtype");
            return cast(numpyType("astype", wanted), wanted, true);
        }

        private Step cast(NumericType stored, NumericType wanted, boolean rounds) {
            refuse((stored.kind() == Kind.COMPLEX) != (wanted.kind() == Kind.COMPLEX), stored);
            return stored == wanted && wanted == type
                    ? unchanged(rounds)
                    : elementwise(new Cast(name, stored, wanted, elements), stored);
        }

        /** Returns a step without a filter: decoding cannot restore the rounded bits. */
        private Step unchanged(boolean rounds) {
            return new Step(Optional.empty(), type, elements, true, Optional.empty(), rounds);
        }

        private Step numcodecsPackBits() {
            refuse(type.byteSize() != 1, type);
            Layout layout = new Layout(Padding.FIRST_BYTE, 0, 1, true);
            PackedBits filter = new PackedBits(name, NumericType.BOOL, layout, elements);
            NumericType stored = NumericType.UINT8;
            return new Step(filter, stored, filter.encodedBytes(), false, castFill(stored));
        }

        private Step scaleOffset() {
            refuse(type.kind() == Kind.COMPLEX || type.kind() == Kind.BOOL, type);
            long scale = scalar("scale", Numbers.isInteger(type) ? 1 : type.nearest(1));
            long offset = scalar("offset", 0);
            if (Numbers.isInteger(type) && scale == 0) {
                throw configuration.error("scale", "is 0");
            }
            return elementwise(
                    new ScaleOffset(type, scale, offset, elements),
                    type,
                    Optional.of(new ScaleOffset.OfFill(type, scale, offset)));
        }

        private Step castValue() {
            NumericType stored = castType();
            refuse(type.kind() == Kind.COMPLEX || type.kind() == Kind.BOOL, type);
            refuse(stored.kind() == Kind.COMPLEX || stored.kind() == Kind.BOOL, stored);
            Rounding rounding = rounding();
            CastValue.OutOfRange outOfRange = outOfRange(stored, type);
            Map<Long, Long> decoded = scalarMap("decode", stored, type);
            Map<Long, Long> encoded = scalarMap("encode", type, stored);
            return elementwise(
                    new CastValue(stored, type, rounding, outOfRange, decoded, elements),
                    stored,
                    Optional.of(
                            new CastValue(
                                    type, stored, rounding, outOfRange(type, stored), encoded, 1)));
        }

        private NumericType castType() {
            try {
                if (DataTypes.builtIn().parse(configuration.any("data_type"))
                        instanceof NumericType stored) {
                    return stored;
                }
            } catch (IllegalArgumentException e) {
                throw configuration.error("data_type", e.getMessage());
            }
            throw configuration.error("data_type", "is no number");
        }

        private Rounding rounding() {
            try {
                return Rounding.named(configuration.string("rounding", "nearest-even"));
            } catch (IllegalArgumentException e) {
                throw configuration.error("rounding", e.getMessage());
            }
        }

        private CastValue.OutOfRange outOfRange(NumericType from, NumericType to) {
            if (configuration.any("out_of_range") == null) {
                return CastValue.OutOfRange.REFUSE;
            }
            String rule = configuration.string("out_of_range");
            if (rule.equals("clamp")) {
                return CastValue.OutOfRange.CLAMP;
            }
            boolean wraps = Numbers.isInteger(from) || Numbers.isInteger(to);
            if (rule.equals("wrap") && wraps) {
                return Numbers.isInteger(to)
                        ? CastValue.OutOfRange.WRAP
                        : CastValue.OutOfRange.REFUSE; // Only encoding wraps.
            }
            throw configuration.error(
                    "out_of_range",
                    "is \"" + rule + "\", expected \"clamp\", or \"wrap\" for integers");
        }

        /** Returns the elements that the configuration maps to other elements. */
        private Map<Long, Long> scalarMap(String way, NumericType from, NumericType to) {
            Map<Long, Long> map = new HashMap<>();
            if (configuration.any("scalar_map") == null) {
                return map;
            }
            JsonFields scalarMap = configuration.object("scalar_map");
            List<?> pairs = scalarMap.any(way) == null ? List.of() : scalarMap.array(way);
            for (Object pair : pairs) {
                if (!(pair instanceof List<?> values) || values.size() != 2) {
                    throw scalarMap.error(way, "holds what is no pair");
                }
                map.putIfAbsent(
                        element(scalarMap, way, from, values.get(0)),
                        element(scalarMap, way, to, values.get(1)));
            }
            return Map.copyOf(map);
        }

        private Step elementwise(ArrayFilter filter, NumericType stored) {
            return elementwise(filter, stored, castFill(stored));
        }

        private Step elementwise(
                ArrayFilter filter, NumericType stored, Optional<ArrayFilter> fill) {
            return new Step(filter, stored, elements, true, fill);
        }

        /**
         * Returns the cast of the fill value. A numcodecs codec does not encode it, as in
         * zarr-python.
         */
        private Optional<ArrayFilter> castFill(NumericType stored) {
            return stored == type ? Optional.empty() : Optional.of(new Cast(name, type, stored, 1));
        }

        private void refuse(boolean condition, NumericType refused) {
            if (condition) {
                throw configuration.error(
                        "cannot work with elements of the type " + refused.typeName());
            }
        }

        /**
         * Returns the type that the codec works with, which may interpret the array's bits as
         * another type.
         */
        private NumericType wantedType(String member) {
            NumericType wanted = numpyType(member, type);
            if (wanted.byteSize() != type.byteSize()) {
                throw configuration.error(
                        member,
                        "is " + wanted.typeName() + ", the elements are " + type.typeName());
            }
            return wanted;
        }

        private NumericType numpyType(String member, NumericType otherwise) {
            if (configuration.any(member) == null) {
                return otherwise;
            }
            String text = configuration.string(member);
            try {
                return NumericType.named(text).orElseGet(() -> NumpyType.numeric(text));
            } catch (IllegalArgumentException e) {
                throw configuration.error(member, e.getMessage());
            }
        }

        private double number(String member) {
            if (configuration.any(member) instanceof Number value) {
                return value.doubleValue();
            }
            throw configuration.error(member, "is missing or no number");
        }

        private long scalar(String member, long otherwise) {
            Object value = configuration.any(member);
            return value == null ? otherwise : element(configuration, member, type, value);
        }

        private static long element(
                JsonFields fields, String member, NumericType type, Object json) {
            try {
                return Numbers.littleEndianBits(type.fillValue(json));
            } catch (IllegalArgumentException e) {
                throw fields.error(member, "is no " + type.typeName() + ": " + e.getMessage());
            }
        }
    }
}
