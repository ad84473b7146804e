package io.zarrengine.zarr.metadata;

import io.zarrengine.zarr.errors.FormatException;
import java.util.Map;
import java.util.Optional;

/** The metadata of a node of a hierarchy. */
public sealed interface NodeMetadata permits ArrayMetadata, GroupMetadata {
    /**
     * {@return the user's attributes: strings, {@code Long}, {@code BigInteger}, {@code
     * BigDecimal}, {@code Double} for NaN, infinities and -0.0, booleans, null, lists and maps}
     *
     * @throws FormatException if the document does not hold them as JSON, or holds a member twice;
     *     {@link #attributesProblem} reports it without an exception
     */
    Map<String, Object> attributes();

    /** {@return the reason why {@link #attributes} throws; empty if it does not} */
    Optional<String> attributesProblem();

    /** {@return the version of its document: 2 or 3} */
    int zarrFormat();
}
