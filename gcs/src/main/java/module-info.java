/**
 * Reads Zarr arrays in Google Cloud Storage. With this module on the path, an engine opens {@code
 * gs:} URLs; {@link io.zarrengine.gcs.GcsStore} has options.
 */
@SuppressWarnings("requires-automatic") // Google's library has no module descriptor, but a name.
module io.zarrengine.gcs {
    // Optional: credentials.
    requires static com.google.auth;
    requires static com.google.auth.oauth2;
    requires transitive io.zarrengine.http;
    requires transitive io.zarrengine.zarr;

    exports io.zarrengine.gcs;

    provides io.zarrengine.zarr.objectstore.ObjectStoreProvider with
            io.zarrengine.gcs.GcsStoreProvider;
}
