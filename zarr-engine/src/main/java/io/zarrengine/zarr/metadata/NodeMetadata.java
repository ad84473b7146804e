package io.zarrengine.zarr.metadata;

import java.util.Map;

/** What a node of a hierarchy says of itself. */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata {
    /**
     * {@return the user's attributes: strings, {@code Long}, {@code BigInteger}, {@code
     * BigDecimal}, {@code Double} for NaN, infinities and -0.0, booleans, null, lists and maps}
     */
    Map<String, Object> attributes();

    /** {@return the version of the document that it came from: 2 or 3} */
    int zarrFormat();
}
