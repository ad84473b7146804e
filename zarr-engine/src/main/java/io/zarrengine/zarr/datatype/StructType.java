package io.zarrengine.zarr.datatype;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Records of named fields, one after the other without gaps.
 *
 * @param fields in the order of their bytes
 * @see <a href="https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/struct">
 *     zarr-extensions, struct</a>
 */
public record StructType(List<Field> fields) implements DataType {
    private static final int BYTES_MAX = 1 << 28;

    /**
     * A field of a record.
     *
     * @param name unique, but several fields may be unnamed (padding)
     * @param type the type of its elements
     * @param shape the shape of a field that is an array (Zarr v2), in C order; empty for one
     *     element
     * @param order its own byte order in a chunk and in memory (Zarr v2); if empty, the field has
     *     the machine's order in memory
     */
    public record Field(
            String name, DataType type, List<Integer> shape, Optional<ByteOrder> order) {
        /**
         * Creates a field of one element, in the byte order of the codec.
         *
         * @param name its name
         * @param type its type
         */
        public Field(String name, DataType type) {
            this(name, type, List.of(), Optional.empty());
        }

        /** Checks type and shape. */
        public Field {
            shape = List.copyOf(shape);
            for (int length : shape) {
                if (length < 1) {
                    throw new IllegalArgumentException(
                            "field \"" + name + "\" has the shape " + shape);
                }
            }
            if (type instanceof VariableLengthType) {
                throw new IllegalArgumentException(
                        "field \"" + name + "\" has a type without a fixed size");
            }
        }

        /** {@return the number of elements of the field} */
        public int count() {
            long count = 1;
            for (int length : shape) {
                // The caller refuses larger counts.
                count = Math.min(count * length, Integer.MAX_VALUE);
            }
            return (int) count;
        }

        long bytes() {
            return (long) count() * type.byteSize();
        }
    }

    /** Checks the fields. */
    public StructType {
        fields = List.copyOf(fields);
        Set<String> names = new HashSet<>();
        long bytes = 0;
        for (Field field : fields) {
            if (!field.name.isEmpty() && !names.add(field.name)) {
                throw new IllegalArgumentException("has two fields \"" + field.name + "\"");
            }
            bytes += field.bytes();
        }
        if (bytes < 1 || bytes > BYTES_MAX) {
            throw new IllegalArgumentException(
                    "has elements of " + bytes + " bytes, expected 1 to " + BYTES_MAX);
        }
    }

    @Override
    public String typeName() {
        return "struct";
    }

    @Override
    public int byteSize() {
        return (int) fields.stream().mapToLong(Field::bytes).sum();
    }

    /**
     * {@return the first field that version 3 cannot describe, because it is an array or has its
     * own byte order}
     */
    public Optional<Field> fieldOfVersion2() {
        for (Field field : fields) {
            boolean ordered = field.order.isPresent() && field.type.byteOrderUnit() != 1;
            if (!field.shape.isEmpty() || ordered) {
                return Optional.of(field);
            }
            if (field.type instanceof StructType inner && inner.fieldOfVersion2().isPresent()) {
                return inner.fieldOfVersion2();
            }
        }
        return Optional.empty();
    }

    @Override
    public int byteOrderUnit() {
        int unit = fields.getFirst().type.byteOrderUnit();
        for (Field field : fields) {
            if (field.type.byteOrderUnit() != unit || field.order.isPresent()) {
                return MIXED_UNITS;
            }
        }
        return unit;
    }

    /** {@return a fill value: one value for each field, or the base64 of all their bytes} */
    @Override
    public byte[] fillValue(Object json) {
        if (json instanceof String) {
            byte[] bytes = ByteStrings.ofJson(json);
            if (bytes.length != byteSize()) {
                throw new IllegalArgumentException(
                        "it has " + bytes.length + " bytes, an element " + byteSize());
            }
            return bytes;
        }
        if (!(json instanceof Map<?, ?> values)) {
            throw new IllegalArgumentException("expected an object with a value for each field");
        }
        byte[] element = new byte[byteSize()];
        int at = 0;
        for (Field field : fields) {
            if (!values.containsKey(field.name) || !field.shape.isEmpty()) {
                throw new IllegalArgumentException(
                        "expected a value for the field \"" + field.name + "\"");
            }
            byte[] part = inOrder(field, field.type.fillValue(values.get(field.name)));
            System.arraycopy(part, 0, element, at, part.length);
            at += part.length;
        }
        return element;
    }

    /** Converts from little-endian to the field's order, or back. */
    private static byte[] inOrder(Field field, byte[] part) {
        if (field.order.equals(Optional.of(ByteOrder.BIG_ENDIAN))) {
            ByteOrderRun.reverse(ByteOrderRun.of(field.type), part);
        }
        return part;
    }

    @Override
    public Object fillValueToJson(byte[] element) {
        Map<String, Object> values = new LinkedHashMap<>();
        int at = 0;
        for (Field field : fields) {
            if (!field.shape.isEmpty()) {
                return Base64.getEncoder().encodeToString(element);
            }
            byte[] part = new byte[field.type.byteSize()];
            System.arraycopy(element, at, part, 0, part.length);
            values.put(field.name, field.type.fillValueToJson(inOrder(field, part)));
            at += part.length;
        }
        return values;
    }

    @Override
    public Map<String, Object> configuration() {
        List<Object> list = new ArrayList<>();
        for (Field field : fields) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("name", field.name);
            entry.put("data_type", DataTypes.toJson(field.type));
            if (!field.shape.isEmpty()) { // Only for display: no document contains this.
                entry.put("shape", field.shape.stream().map(Long::valueOf).toList());
            }
            list.add(entry);
        }
        return Map.of("fields", list);
    }
}
