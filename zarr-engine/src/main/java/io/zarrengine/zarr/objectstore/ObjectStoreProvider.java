package io.zarrengine.zarr.objectstore;

import java.net.URI;
import java.util.Optional;

/** Opens the stores that URLs lead to. A {@link java.util.ServiceLoader} finds it. */
public interface ObjectStoreProvider {
    /**
     * {@return a store for all URLs of this scheme and authority; empty if this provider does not
     * know the scheme} Keys are paths of such URLs, decoded and without the first slash. The engine
     * closes it.
     *
     * @param url a URL with a scheme and an authority
     * @throws IllegalArgumentException if the URL is not valid; the message repeats no password
     */
    Optional<ObjectStore> open(URI url);

    /**
     * {@return whether it opens URLs of any host} It is asked after those that know some hosts
     * better.
     */
    default boolean isGeneral() {
        return false;
    }
}
