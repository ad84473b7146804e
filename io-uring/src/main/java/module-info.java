/**
 * Reads byte ranges of many files through io_uring, with thousands of reads in flight. Without
 * io_uring, a pool of threads reads them through the same interface. Independent of Zarr.
 */
@SuppressWarnings("module") // The modules in "exports to" are compiled later.
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
