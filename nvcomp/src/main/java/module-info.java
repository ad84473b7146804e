/** nvCOMP: batches of chunks decoded and encoded on a GPU. Used by zarr-engine. */
module io.zarrengine.nvcomp {
    requires io.zarrengine.bindings;
    requires transitive io.zarrengine.cuda;

    exports io.zarrengine.nvcomp;
}
