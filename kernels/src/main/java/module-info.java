/** Machine code for x86-64 and CUDA kernels, compiled: nothing but their bytes. */
module io.zarrengine.kernels {
    exports io.zarrengine.kernels to
            io.zarrengine.bindings,
            io.zarrengine.cuda;
}
