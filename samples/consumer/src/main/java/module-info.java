/** A program that uses zarr-engine. */
module example.consumer {
    requires io.zarrengine.zarr;
}
