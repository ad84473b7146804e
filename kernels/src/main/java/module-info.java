/** Compiled machine code for x86-64 and compiled CUDA kernels. */
module io.zarrengine.kernels {
    exports io.zarrengine.kernels to
            io.zarrengine.bindings,
            io.zarrengine.cuda;
}
