package io.zarrengine.zarr.datatype;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The data types, by their names in {@code zarr.json}.
 *
 * <p>Custom types come from {@link DataTypeProvider}s.
 */
public final class DataTypes {
    private static final DataTypes BUILT_IN = new DataTypes(List.of());

    /** Maximum number of characters of an unknown name in a message. */
    private static final int NAME_SHOWN_MAX = 60;

    private final List<DataTypeProvider> providers;

    private DataTypes(List<DataTypeProvider> providers) {
        this.providers = List.copyOf(providers);
    }

    /** {@return the built-in types} */
    public static DataTypes builtIn() {
        return BUILT_IN;
    }

    /**
     * {@return the built-in types and those of providers}
     *
     * @param providers providers to ask, in this order, after the built-in types
     */
    public static DataTypes with(List<DataTypeProvider> providers) {
        return new DataTypes(providers);
    }

    /**
     * {@return the data type}
     *
     * @param json its name, or an object with a name and a configuration
     * @throws IllegalArgumentException if the type is unknown or its configuration is invalid; the
     *     message follows "the data type"
     */
    public DataType parse(Object json) {
        if (json instanceof String name) {
            return named(name, Map.of());
        }
        if (json instanceof Map<?, ?> object && object.get("name") instanceof String name) {
            return named(name, configurationOf(object));
        }
        throw new IllegalArgumentException("must be a name, or an object with a name");
    }

    private static Map<?, ?> configurationOf(Map<?, ?> object) {
        Object configuration = object.get("configuration");
        if (configuration == null) {
            return Map.of();
        }
        if (configuration instanceof Map<?, ?> members) {
            return members;
        }
        throw new IllegalArgumentException("has a configuration that is no object");
    }

    /**
     * {@return the data type}
     *
     * @param name its name
     * @param configuration its configuration, JSON values
     * @throws IllegalArgumentException if the type is unknown or its configuration is invalid; the
     *     message follows "the data type"
     */
    public DataType named(String name, Map<?, ?> configuration) {
        Optional<NumericType> numeric = NumericType.named(name);
        if (numeric.isPresent()) {
            return numeric.get();
        }
        return switch (name) {
            case "numpy.datetime64" -> temporal(TemporalType.Kind.DATETIME, configuration);
            case "numpy.timedelta64" -> temporal(TemporalType.Kind.TIMEDELTA, configuration);
            case "fixed_length_utf32" -> fixed(FixedLengthType.Kind.UTF32, configuration);
            case "null_terminated_bytes" ->
                    fixed(FixedLengthType.Kind.NULL_TERMINATED, configuration);
            case "raw_bytes" -> fixed(FixedLengthType.Kind.RAW, configuration);
            case "string" -> VariableLengthType.STRING;
            case "bytes", "variable_length_bytes" -> VariableLengthType.BYTES;
            case "struct", "structured" -> struct(configuration);
            default -> rawBits(name).orElseGet(() -> provided(name, configuration));
        };
    }

    private static TemporalType temporal(TemporalType.Kind kind, Map<?, ?> configuration) {
        Object unit = configuration.get("unit");
        long scale = integer(configuration, "scale_factor", 1, Integer.MAX_VALUE);
        return new TemporalType(kind, String.valueOf(unit), (int) scale);
    }

    private static FixedLengthType fixed(FixedLengthType.Kind kind, Map<?, ?> configuration) {
        return new FixedLengthType(
                kind, (int) integer(configuration, "length_bytes", 1, Integer.MAX_VALUE));
    }

    private static long integer(Map<?, ?> configuration, String name, long min, long max) {
        if (configuration.get(name) instanceof Long value && value >= min && value <= max) {
            return value;
        }
        throw new IllegalArgumentException(
                "has the "
                        + name
                        + " "
                        + configuration.get(name)
                        + ", expected a whole number from "
                        + min
                        + " to "
                        + max);
    }

    /** Parses the names of raw types: {@code r16} has 16 bits. */
    private static Optional<DataType> rawBits(String name) {
        if (!name.matches("r[1-9][0-9]{0,9}")) {
            return Optional.empty();
        }
        long bits = Long.parseLong(name.substring(1));
        if (bits % Byte.SIZE != 0 || bits / Byte.SIZE > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("has " + bits + " bits, expected a multiple of 8");
        }
        return Optional.of(new FixedLengthType(FixedLengthType.Kind.RAW, (int) (bits / Byte.SIZE)));
    }

    /**
     * Parses a struct. Fields are objects, or pairs in documents of early versions of zarr-python.
     */
    private StructType struct(Map<?, ?> configuration) {
        if (!(configuration.get("fields") instanceof List<?> list) || list.isEmpty()) {
            throw new IllegalArgumentException("has no list of fields");
        }
        List<StructType.Field> fields = new ArrayList<>();
        for (Object entry : list) {
            if (entry instanceof Map<?, ?> object && object.get("name") instanceof String name) {
                fields.add(new StructType.Field(name, parse(object.get("data_type"))));
            } else if (entry instanceof List<?> pair
                    && pair.size() == 2
                    && pair.get(0) instanceof String name) {
                fields.add(new StructType.Field(name, parse(pair.get(1))));
            } else {
                throw new IllegalArgumentException("has a field without a name and a type");
            }
        }
        return new StructType(fields);
    }

    private DataType provided(String name, Map<?, ?> configuration) {
        Map<String, Object> members = new LinkedHashMap<>();
        configuration.forEach((key, value) -> members.put((String) key, value));
        for (DataTypeProvider provider : providers) {
            Optional<DataType> type = provider.dataType(name, members);
            if (type.isPresent()) {
                return type.get();
            }
        }
        throw new IllegalArgumentException(
                "is \""
                        + (name.length() <= NAME_SHOWN_MAX
                                ? name
                                : name.substring(0, NAME_SHOWN_MAX) + "...")
                        + "\", which is not known; a provider ("
                        + DataTypeProvider.class.getName()
                        + ") can add it");
    }

    /**
     * {@return a data type as it appears in metadata}
     *
     * @param type the type
     */
    public static Object toJson(DataType type) {
        if (type.configuration().isEmpty()) {
            return type.typeName();
        }
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("name", type.typeName());
        object.put("configuration", type.configuration());
        return object;
    }
}
