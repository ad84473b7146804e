package io.zarrengine.zarr;

import java.nio.file.Path;
import java.util.Map;

/** An array or a group in a hierarchy. */
public sealed interface ZarrNode extends AutoCloseable permits ZarrArray, ZarrGroup {
    /** {@return where it is} */
    Path path();

    /**
     * {@return the user's attributes: strings, {@code Long}, {@code BigInteger}, {@code
     * BigDecimal}, {@code Double} for NaN and infinities, booleans, null, lists and maps}
     */
    Map<String, Object> attributes();

    /** Gives up what the node holds. */
    @Override
    void close();
}
