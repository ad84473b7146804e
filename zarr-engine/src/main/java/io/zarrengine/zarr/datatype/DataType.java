package io.zarrengine.zarr.datatype;

import java.util.Map;

/**
 * The type of an array's elements. In memory, an element takes {@link #byteSize()} bytes in native
 * byte order.
 */
public interface DataType {
    /** The {@link #byteOrderUnit} of a {@link StructType} with units of several sizes. */
    int MIXED_UNITS = 0;

    /** {@return the name in metadata, e.g. {@code "float32"}} */
    String typeName();

    /** {@return the size of one element in bytes} */
    int byteSize();

    /**
     * {@return the size in bytes of the units that byte order reverses: the element, or each of its
     * parts; 1 if byte order does not matter, {@link #MIXED_UNITS} if units of several sizes follow
     * one another}
     */
    int byteOrderUnit();

    /**
     * {@return a fill value as one element, little-endian}
     *
     * @param json its value in metadata
     * @throws IllegalArgumentException if the value does not fit this type; the message says what
     *     was expected
     */
    byte[] fillValue(Object json);

    /**
     * {@return an element as it appears in metadata: the inverse of {@link #fillValue}}
     *
     * @param element one element, little-endian
     */
    Object fillValueToJson(byte[] element);

    /** {@return the configuration in metadata; empty for most types} */
    default Map<String, Object> configuration() {
        return Map.of();
    }
}
