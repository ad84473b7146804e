/**
 * Reads and writes Zarr arrays.
 *
 * <p>Start with {@link io.zarrengine.zarr.ZarrEngine}, which opens a {@link
 * io.zarrengine.zarr.ZarrArray}; a {@link io.zarrengine.zarr.Selection} says which elements to
 * read, and a {@link io.zarrengine.zarr.HostTensor} holds them. {@link
 * io.zarrengine.zarr.ArrayWriter} writes arrays.
 *
 * <p>Native code needs {@code --enable-native-access=io.zarrengine.bindings}, on the class path
 * {@code --enable-native-access=ALL-UNNAMED}. Without it everything works, more slowly.
 */
// What it exports to is compiled later.
@SuppressWarnings({"module", "requires-automatic"})
module io.zarrengine.zarr {
    // Optional: it has no module descriptor, so its name depends on its file.
    requires static aircompressor.v3;
    requires io.zarrengine.bindings;
    // Optional: GPUs.
    requires static io.zarrengine.cuda;
    requires static io.zarrengine.nvcomp;
    // Its Caching is an option of an engine.
    requires transitive io.zarrengine.uring;
    requires jdk.jfr;
    // Optional, and incubating: without it, loops are scalar.
    requires static jdk.incubator.vector;
    // Optional: bz2 and lzma.
    requires static org.apache.commons.compress;
    requires static org.tukaani.xz;
    requires tools.jackson.core;

    exports io.zarrengine.zarr;
    exports io.zarrengine.zarr.datatype;
    exports io.zarrengine.zarr.errors;
    exports io.zarrengine.zarr.extension;
    exports io.zarrengine.zarr.metadata;
    exports io.zarrengine.zarr.store to
            io.zarrengine.cli;

    uses io.zarrengine.zarr.datatype.DataTypeProvider;
    uses io.zarrengine.zarr.extension.CodecProvider;
}
