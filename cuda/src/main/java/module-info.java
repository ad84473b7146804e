/** CUDA devices: streams, events, memory and kernels. Used by zarr-engine to read to a GPU. */
module io.zarrengine.cuda {
    requires io.zarrengine.bindings;

    exports io.zarrengine.cuda;
}
