/** The {@code zarr-engine} command. */
module io.zarrengine.cli {
    requires info.picocli;
    // For the demo, which measures libzstd alone.
    requires io.zarrengine.bindings;
    requires io.zarrengine.cuda;
    requires io.zarrengine.nvcomp;
    requires io.zarrengine.zarr;
    requires java.desktop;
    requires tools.jackson.core;

    opens io.zarrengine.cli to
            info.picocli;
}
