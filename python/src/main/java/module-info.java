/** The functions that the Python package calls, through JPype. */
module io.zarrengine.python {
    requires io.zarrengine.azure;
    requires io.zarrengine.bindings;
    requires io.zarrengine.gcs;
    requires io.zarrengine.http;
    requires io.zarrengine.s3;
    requires io.zarrengine.zarr;

    exports io.zarrengine.python;
}
