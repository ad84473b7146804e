package io.zarrengine.zarr;

import io.zarrengine.http.Nginx;
import io.zarrengine.zarr.objectstore.ObjectStore;

/** Reads arrays from nginx by TLS. */
final class NginxConformanceTest extends ServerConformanceContract<Nginx> {
    @Override
    Nginx connect() throws Exception {
        return new Nginx();
    }

    @Override
    ObjectStore open(Nginx from) {
        return from.openSecure();
    }
}
