/**
 * Reads to NVIDIA GPUs. With this module on the path, an engine has a target {@code cuda:N}.
 * Programs do not use this module's types directly.
 */
module io.zarrengine.gpu {
    requires io.zarrengine.bindings;
    requires io.zarrengine.cuda;
    requires io.zarrengine.nvcomp;
    requires io.zarrengine.uring;
    requires io.zarrengine.zarr;
    requires jdk.jfr;

    provides io.zarrengine.zarr.device.DeviceProvider with
            io.zarrengine.gpu.CudaProvider;
}
