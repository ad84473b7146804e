/**
 * Reads and writes Zarr arrays.
 *
 * <p>Start with {@link io.zarrengine.zarr.ZarrEngine}, which opens a {@link
 * io.zarrengine.zarr.ZarrArray}. A {@link io.zarrengine.zarr.Selection} names the elements to read,
 * and a {@link io.zarrengine.zarr.HostTensor} holds them. {@link io.zarrengine.zarr.ArrayWriter}
 * writes arrays.
 *
 * <p>Native code needs {@code --enable-native-access=io.zarrengine.bindings}, or on the class path
 * {@code --enable-native-access=ALL-UNNAMED}. Without the option everything works, but more slowly.
 */
// The modules in "exports to" are compiled later.
@SuppressWarnings({"module", "requires-automatic"})
module io.zarrengine.zarr {
    // Optional. It has no module descriptor, so its name depends on its file name.
    requires static aircompressor.v3;
    requires io.zarrengine.bindings;
    // Caching is an option of ZarrEngineBuilder.
    requires transitive io.zarrengine.uring;
    requires jdk.jfr;
    // Optional and incubating. Without it, loops are scalar.
    requires static jdk.incubator.vector;
    // Optional: bz2 and lzma.
    requires static org.apache.commons.compress;
    requires static org.tukaani.xz;
    requires tools.jackson.core;

    exports io.zarrengine.zarr;
    exports io.zarrengine.zarr.datatype;
    exports io.zarrengine.zarr.errors;
    exports io.zarrengine.zarr.extension;
    exports io.zarrengine.zarr.loader;
    exports io.zarrengine.zarr.metadata;
    exports io.zarrengine.zarr.objectstore;
    exports io.zarrengine.zarr.transform;
    exports io.zarrengine.zarr.codec to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.device to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.diskcache to
            io.zarrengine.cli,
            io.zarrengine.python;
    exports io.zarrengine.zarr.filter to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.json to
            io.zarrengine.python;
    exports io.zarrengine.zarr.memory to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.metrics to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.pipeline to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.plan to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.sink to
            io.zarrengine.gpu;
    exports io.zarrengine.zarr.store to
            io.zarrengine.cli;
    exports io.zarrengine.zarr.task to
            io.zarrengine.gpu;

    uses io.zarrengine.zarr.datatype.DataTypeProvider;
    uses io.zarrengine.zarr.device.DeviceProvider;
    uses io.zarrengine.zarr.extension.CodecProvider;
    uses io.zarrengine.zarr.objectstore.ObjectStoreProvider;
}
