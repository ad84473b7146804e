/**
 * Reads Zarr arrays behind {@code http:} and {@code https:} URLs. With this module on the path, an
 * engine opens such URLs; {@link io.zarrengine.http.HttpStore} has options for them.
 */
module io.zarrengine.http {
    requires transitive io.zarrengine.zarr;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.http;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires java.xml;
    requires transitive java.net.http;

    exports io.zarrengine.http;

    provides io.zarrengine.zarr.objectstore.ObjectStoreProvider with
            io.zarrengine.http.HttpStoreProvider;
}
