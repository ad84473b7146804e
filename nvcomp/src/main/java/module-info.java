/** nvCOMP. */
module io.zarrengine.nvcomp {
    requires io.zarrengine.bindings;
    requires transitive io.zarrengine.cuda;

    exports io.zarrengine.nvcomp;
}
