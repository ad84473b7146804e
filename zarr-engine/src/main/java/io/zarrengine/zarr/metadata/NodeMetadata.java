package io.zarrengine.zarr.metadata;

import java.util.Map;

/** What a node of a hierarchy says of itself. */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata {
    /**
     * {@return the user's attributes: strings, {@code Long}, {@code BigInteger}, {@code
     * BigDecimal}, {@code Double} for NaN and infinities, booleans, null, lists and maps}
     */
    Map<String, Object> attributes();
}
