package io.zarrengine.zarr.datatype;

import java.util.Map;
import java.util.Optional;

/**
 * Adds data types of one's own. Providers are found by {@link java.util.ServiceLoader}, or given to
 * the engine's builder.
 */
public interface DataTypeProvider {
    /**
     * {@return a data type, if the provider knows it}
     *
     * @param name its name in metadata
     * @param configuration its configuration in metadata, as JSON values
     * @throws IllegalArgumentException if the configuration is not valid; the message follows "the
     *     data type"
     */
    Optional<DataType> dataType(String name, Map<String, Object> configuration);
}
