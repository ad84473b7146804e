/**
 * Reads byte ranges of many files, thousands in flight, through io_uring; without io_uring, through
 * a pool of threads with the same interface. Independent of Zarr.
 */
@SuppressWarnings("module") // Modules in "exports to" are compiled later.
module io.zarrengine.uring {
    requires io.zarrengine.bindings;

    exports io.zarrengine.uring;
    exports io.zarrengine.uring.files;
    exports io.zarrengine.uring.plan;
    exports io.zarrengine.uring.ranges;
    exports io.zarrengine.uring.reading to
            io.zarrengine.gpu,
            io.zarrengine.zarr;
}
