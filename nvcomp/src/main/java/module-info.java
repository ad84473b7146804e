/** nvCOMP. */
module io.zarrengine.nvcomp {
    requires io.zarrengine.bindings;
    requires io.zarrengine.cuda;

    exports io.zarrengine.nvcomp;
}
