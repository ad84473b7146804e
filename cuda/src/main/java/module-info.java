/** CUDA devices. */
module io.zarrengine.cuda {
    requires io.zarrengine.bindings;

    exports io.zarrengine.cuda;
}
