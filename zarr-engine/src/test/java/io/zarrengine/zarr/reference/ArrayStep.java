package io.zarrengine.zarr.reference;

import java.util.List;
import java.util.Map;

/** Array-to-array codec, undone element by element. */
@SuppressWarnings("ArrayRecordComponent") // never compared
interface ArrayStep {
    /** Returns the type of the stored elements. */
    ReferenceType type();

    /** Returns the shape of the stored elements. */
    int[] shape();

    /** Decodes the stored elements. Both sides are in C order. */
    byte[][] decode(byte[][] stored);

    /** Returns the stored form of the array's fill value, for missing chunks below this codec. */
    default byte[] encodeFill(byte[] fill) {
        return fill;
    }

    /** Returns the codec with this name, or null if it is of another kind. */
    static ArrayStep parse(String name, Map<?, ?> configuration, ReferenceType type, int[] shape) {
        return switch (name) {
            case "transpose" -> Transpose.of((List<?>) configuration.get("order"), type, shape);
            case "reshape" ->
                    new Unchanged(type, reshaped((List<?>) configuration.get("shape"), shape));
            case "delta" -> new Delta(type, or(configuration, "astype", type), shape);
            case "fixedscaleoffset" ->
                    new FixedScaleOffset(
                            type,
                            or(configuration, "astype", type),
                            shape,
                            number(configuration.get("scale")),
                            number(configuration.get("offset")));
            case "quantize" -> new Cast(type, or(configuration, "astype", type), shape);
            case "astype" -> new Cast(type, or(configuration, "encode_dtype", type), shape);
            case "cast_value" ->
                    new Cast(type, ReferenceType.parse(configuration.get("data_type")), shape);
            case "bitround" -> new Unchanged(type, shape);
            case "scale_offset" ->
                    new ScaleOffset(
                            type,
                            shape,
                            configuration.containsKey("scale")
                                    ? number(configuration.get("scale"))
                                    : 1,
                            configuration.containsKey("offset")
                                    ? number(configuration.get("offset"))
                                    : 0);
            default -> null;
        };
    }

    private static int[] reshaped(List<?> wanted, int[] shape) {
        int[] lengths = new int[wanted.size()];
        int product = 1;
        for (int i = 0; i < lengths.length; i++) {
            if (wanted.get(i) instanceof List<?> dimensions) {
                lengths[i] = 1;
                for (Object dimension : dimensions) {
                    lengths[i] *= shape[ReferenceType.integer(dimension)];
                }
            } else {
                lengths[i] = ReferenceType.integer(wanted.get(i));
            }
            product *= lengths[i];
        }
        for (int i = 0; i < lengths.length; i++) {
            lengths[i] = lengths[i] == -1 ? Shapes.product(shape) / -product : lengths[i];
        }
        return lengths;
    }

    private static ReferenceType or(Map<?, ?> configuration, String name, ReferenceType type) {
        return configuration.get(name) == null
                ? type
                : ReferenceType.ofFilter(configuration.get(name));
    }

    private static double number(Object json) {
        return ((Number) json).doubleValue();
    }

    /** Transposition: stored dimension i is dimension {@code order[i]}. */
    record Transpose(int[] order, ReferenceType type, int[] before, int[] shape)
            implements ArrayStep {
        static Transpose of(List<?> order, ReferenceType type, int[] before) {
            int[] dimensions = Shapes.of(order);
            int[] shape = new int[before.length];
            for (int i = 0; i < shape.length; i++) {
                shape[i] = before[dimensions[i]];
            }
            return new Transpose(dimensions, type, before, shape);
        }

        @Override
        public byte[][] decode(byte[][] stored) {
            byte[][] elements = new byte[stored.length][];
            for (int i = 0; i < stored.length; i++) {
                int[] at = Shapes.position(i, shape);
                int[] target = new int[at.length];
                for (int d = 0; d < at.length; d++) {
                    target[order[d]] = at[d];
                }
                elements[Shapes.index(target, before)] = stored[i];
            }
            return elements;
        }
    }

    /** Reshape, and codecs that lose bits only when they encode. */
    record Unchanged(ReferenceType type, int[] shape) implements ArrayStep {
        @Override
        public byte[][] decode(byte[][] stored) {
            return stored;
        }
    }

    /** Sums, in the arithmetic of the type before encoding. */
    record Delta(ReferenceType before, ReferenceType type, int[] shape) implements ArrayStep {
        @Override
        public byte[] encodeFill(byte[] fill) {
            return Numbers.cast(before, type, fill);
        }

        @Override
        public byte[][] decode(byte[][] stored) {
            byte[][] elements = new byte[stored.length][];
            for (int i = 0; i < stored.length; i++) {
                byte[] difference = Numbers.cast(type, before, stored[i]);
                elements[i] = i == 0 ? difference : sum(elements[i - 1], difference);
            }
            return elements;
        }

        private byte[] sum(byte[] a, byte[] b) {
            return before.isInteger()
                    ? Numbers.ofLong(before, Numbers.toLong(before, a) + Numbers.toLong(before, b))
                    : Numbers.ofDouble(
                            before, Numbers.toDouble(before, a) + Numbers.toDouble(before, b));
        }
    }

    /** Stored / scale + offset, in float32 if that is stored, else in float64. */
    record FixedScaleOffset(
            ReferenceType before, ReferenceType type, int[] shape, double scale, double offset)
            implements ArrayStep {
        @Override
        public byte[] encodeFill(byte[] fill) {
            return Numbers.cast(before, type, fill);
        }

        @Override
        public byte[][] decode(byte[][] stored) {
            byte[][] elements = new byte[stored.length][];
            boolean single = !type.isInteger() && type.bits() == 32;
            for (int i = 0; i < stored.length; i++) {
                double value = Numbers.toDouble(type, stored[i]);
                elements[i] =
                        Numbers.ofDouble(
                                before,
                                single
                                        ? (float) value / (float) scale + (float) offset
                                        : value / scale + offset);
            }
            return elements;
        }
    }

    /** Cast to another type. */
    record Cast(ReferenceType before, ReferenceType type, int[] shape) implements ArrayStep {
        @Override
        public byte[] encodeFill(byte[] fill) {
            return Numbers.cast(before, type, fill);
        }

        @Override
        public byte[][] decode(byte[][] stored) {
            byte[][] elements = new byte[stored.length][];
            for (int i = 0; i < stored.length; i++) {
                elements[i] = Numbers.cast(type, before, stored[i]);
            }
            return elements;
        }
    }

    /** Stored / scale + offset, in the arithmetic of the type. */
    record ScaleOffset(ReferenceType type, int[] shape, double scale, double offset)
            implements ArrayStep {
        @Override
        public byte[] encodeFill(byte[] fill) {
            return Numbers.ofDouble(type, (Numbers.toDouble(type, fill) - offset) * scale);
        }

        @Override
        public byte[][] decode(byte[][] stored) {
            byte[][] elements = new byte[stored.length][];
            boolean single = !type.isInteger() && type.bits() == 32;
            for (int i = 0; i < stored.length; i++) {
                double value = Numbers.toDouble(type, stored[i]);
                elements[i] =
                        Numbers.ofDouble(
                                type,
                                single
                                        ? (float) value / (float) scale + (float) offset
                                        : value / scale + offset);
            }
            return elements;
        }
    }
}
