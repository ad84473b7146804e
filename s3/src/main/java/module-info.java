/**
 * Reads Zarr arrays in S3, and on servers with its interface. With this module on the path, an
 * engine opens {@code s3:} URLs; {@link io.zarrengine.s3.S3Store} has options.
 */
// Amazon's libraries have no module descriptors, but names; S3 ends with a digit.
@SuppressWarnings({"module", "requires-automatic"})
module io.zarrengine.s3 {
    // Optional: credentials and signatures.
    requires static software.amazon.awssdk.auth;
    requires static software.amazon.awssdk.http;
    requires static software.amazon.awssdk.http.auth.aws;
    requires static software.amazon.awssdk.http.auth.spi;
    requires static software.amazon.awssdk.identity.spi;
    requires static software.amazon.awssdk.profiles;
    requires java.net.http;
    requires transitive io.zarrengine.http;
    requires transitive io.zarrengine.zarr;

    exports io.zarrengine.s3;

    provides io.zarrengine.zarr.objectstore.ObjectStoreProvider with
            io.zarrengine.s3.S3StoreProvider;
}
