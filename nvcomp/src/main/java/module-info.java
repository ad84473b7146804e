/** nvCOMP: decodes and encodes batches of chunks on a GPU. Used by zarr-engine. */
module io.zarrengine.nvcomp {
    requires io.zarrengine.bindings;
    requires transitive io.zarrengine.cuda;

    exports io.zarrengine.nvcomp;
}
