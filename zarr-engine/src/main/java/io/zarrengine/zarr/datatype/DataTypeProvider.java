package io.zarrengine.zarr.datatype;

import java.util.Map;
import java.util.Optional;

/**
 * Adds custom data types. The engine finds providers with {@link java.util.ServiceLoader}, or gets
 * them from its builder.
 */
public interface DataTypeProvider {
    /**
     * {@return the data type; empty if the provider does not know it}
     *
     * @param name its name in metadata
     * @param configuration its configuration in metadata, as JSON values
     * @throws IllegalArgumentException if the configuration is not valid; the message follows "the
     *     data type"
     */
    Optional<DataType> dataType(String name, Map<String, Object> configuration);
}
