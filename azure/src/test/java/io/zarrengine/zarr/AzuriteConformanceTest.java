package io.zarrengine.zarr;

import io.zarrengine.azure.Azurite;
import io.zarrengine.zarr.objectstore.ObjectStore;

/** Reads arrays from Azurite. */
final class AzuriteConformanceTest extends ServerConformanceContract<Azurite> {
    @Override
    Azurite connect() throws Exception {
        return new Azurite();
    }

    @Override
    ObjectStore open(Azurite from) {
        return from.builder().sharedKey(Azurite.KEY).open();
    }
}
