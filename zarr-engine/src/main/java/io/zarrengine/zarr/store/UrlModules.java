package io.zarrengine.zarr.store;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The modules of this project that read URLs, for messages. */
final class UrlModules {
    private static final Map<String, String> MODULES =
            Map.of(
                    "http", "http", "https", "http", "s3", "s3", "gs", "gcs", "az", "azure", "abfs",
                    "azure", "abfss", "azure");

    private UrlModules() {}

    /** {@return the module that reads URLs of a scheme; empty if there is none} */
    static Optional<String> of(String scheme) {
        return Optional.ofNullable(MODULES.get(scheme.toLowerCase(Locale.ROOT)));
    }
}
