/**
 * Native code for zarr-engine: generated bindings of liburing, libzstd, liblz4, the CUDA runtime,
 * cuFile and nvCOMP, and the handwritten base below them.
 *
 * <p>Every restricted call of the project is made in this module, so a user grants one name: {@code
 * --enable-native-access=io.zarrengine.bindings}.
 */
module io.zarrengine.bindings {
    requires io.zarrengine.kernels;

    exports io.zarrengine.bindings to
            io.zarrengine.uring,
            io.zarrengine.cuda,
            io.zarrengine.gpu,
            io.zarrengine.nvcomp,
            io.zarrengine.python,
            io.zarrengine.zarr;
    exports io.zarrengine.bindings.frames to
            io.zarrengine.gpu,
            io.zarrengine.nvcomp,
            io.zarrengine.zarr;
    exports io.zarrengine.bindings.machinecode to
            io.zarrengine.uring,
            io.zarrengine.zarr;
    exports io.zarrengine.bindings.liburing to
            io.zarrengine.uring;
    exports io.zarrengine.bindings.libzstd to
            io.zarrengine.zarr,
            // For the demo, which measures libzstd alone.
            io.zarrengine.cli;
    exports io.zarrengine.bindings.liblz4 to
            io.zarrengine.zarr;
    exports io.zarrengine.bindings.cudart to
            io.zarrengine.cuda;
    exports io.zarrengine.bindings.cufile to
            io.zarrengine.cuda;
    exports io.zarrengine.bindings.nvcomp to
            io.zarrengine.nvcomp;
}
