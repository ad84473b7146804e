package io.zarrengine.zarr;

import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;

/**
 * Runs the conformance cases with objects of a store, on a device that would copy from files by
 * itself. Fails if the device takes an object for a file.
 */
final class DeviceObjectConformanceTest extends DeviceConformanceTest {
    private final List<MemoryStore> stores = new ArrayList<>();

    @Override
    ZarrEngine open(DeviceOptions options) {
        return DeviceEngines.openMapping(options, Long.MAX_VALUE);
    }

    @Override
    ZarrArray array(Conformance.Case c) throws Exception {
        MemoryStore store = MemoryStore.create();
        stores.add(store);
        store.putAll(c.store());
        return engine.openArray(store, c.path());
    }

    @Override
    String name(Conformance.Case c) {
        return "memory:";
    }

    @Override
    @AfterAll
    void close() {
        super.close();
        stores.forEach(MemoryStore::close);
    }
}
