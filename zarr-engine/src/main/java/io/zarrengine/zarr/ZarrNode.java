package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.NodeMetadata;
import java.nio.file.Path;
import java.util.Map;

/** An array or a group in a hierarchy. */
public sealed interface ZarrNode extends AutoCloseable permits ZarrArray, ZarrGroup {
    /** {@return the path of the node} */
    Path path();

    /** {@return the content of the node's document} */
    NodeMetadata metadata();

    /** {@return the user's attributes, as in {@link NodeMetadata#attributes}} */
    default Map<String, Object> attributes() {
        return metadata().attributes();
    }

    /** Releases the resources of the node. */
    @Override
    void close();
}
