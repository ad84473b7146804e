package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.errors.FormatException;
import java.util.Map;
import java.util.Optional;

/** What a node of a hierarchy says of itself. */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata {
    /**
     * {@return the user's attributes: strings, {@code Long}, {@code BigInteger}, {@code
     * BigDecimal}, {@code Double} for NaN, infinities and -0.0, booleans, null, lists and maps}
     *
     * @throws FormatException if the document does not hold them as JSON, or one of their members
     *     twice: {@link #attributesProblem} says so without an exception
     */
    Map<String, Object> attributes();

    /** {@return why {@link #attributes} throws, or empty if it does not} */
    Optional<String> attributesProblem();

    /** {@return the version of the document that it came from: 2 or 3} */
    int zarrFormat();
}
