package io.zarrengine.zarr;

import io.zarrengine.zarr.metadata.NodeMetadata;
import java.nio.file.Path;
import java.util.Map;

/** An array or a group in a hierarchy. */
public sealed interface ZarrNode extends AutoCloseable permits ZarrArray, ZarrGroup {
    /** {@return where it is} */
    Path path();

    /** {@return everything that its document says} */
    NodeMetadata metadata();

    /** {@return the user's attributes, as {@link NodeMetadata#attributes} has them} */
    default Map<String, Object> attributes() {
        return metadata().attributes();
    }

    /** Gives up what the node holds. */
    @Override
    void close();
}
