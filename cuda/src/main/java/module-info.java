/** CUDA devices: streams, events, memory and kernels. Used by zarr-engine to read to a GPU. */
module io.zarrengine.cuda {
    requires io.zarrengine.bindings;
    requires io.zarrengine.kernels;

    exports io.zarrengine.cuda;
}
