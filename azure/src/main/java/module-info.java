/**
 * Reads Zarr arrays in Azure Blob Storage. With this module on the path, an engine opens {@code
 * az:}, {@code abfs:} and {@code abfss:} URLs; {@link io.zarrengine.azure.AzureStore} has options.
 */
module io.zarrengine.azure {
    // Optional: shared keys.
    requires static com.azure.storage.common;
    // Optional: identities.
    requires static com.azure.core;
    requires static com.azure.identity;
    requires transitive io.zarrengine.http;
    requires transitive io.zarrengine.zarr;

    exports io.zarrengine.azure;

    provides io.zarrengine.zarr.objectstore.ObjectStoreProvider with
            io.zarrengine.azure.AzureStoreProvider;
}
