/** The functions that the Python package calls, through JPype. */
module io.zarrengine.python {
    requires io.zarrengine.bindings;
    requires io.zarrengine.zarr;

    exports io.zarrengine.python;
}
