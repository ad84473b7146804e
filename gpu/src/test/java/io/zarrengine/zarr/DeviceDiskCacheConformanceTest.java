package io.zarrengine.zarr;

import io.zarrengine.gpu.CudaProvider;
import io.zarrengine.gpu.tuning.DeviceOptions;
import io.zarrengine.zarr.errors.ZarrException;
import io.zarrengine.zarr.objectstore.MemoryStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the conformance cases with objects that are kept on disk. Fails if blocks that are read to
 * memory of the device's slots are shifted, or what lies before and after them is taken for them.
 */
final class DeviceDiskCacheConformanceTest extends DeviceConformanceTest {
    @TempDir static Path folder;
    private final List<MemoryStore> stores = new ArrayList<>();

    @Override
    ZarrEngine open(DeviceOptions options) throws IOException {
        return ZarrEngine.builder()
                .workers(4)
                .deviceProvider(new CudaProvider(options))
                .diskCache(Files.createTempDirectory(folder, "cache"), 1 << 30)
                .open();
    }

    /** The host has read all of it before, unless it is broken. */
    @Override
    ZarrArray array(Conformance.Case c) throws Exception {
        MemoryStore objects = MemoryStore.create();
        stores.add(objects);
        objects.putAll(c.store());
        CountedStore store = new CountedStore(objects, "test://" + c);
        try (ZarrArray array = engine.openArray(store, c.path())) {
            array.read(Selection.all()).close();
        } catch (ZarrException | IllegalArgumentException e) {
            // The results of the device are compared.
        }
        return engine.openArray(store, c.path());
    }

    @Override
    String name(Conformance.Case c) {
        return "test://counted";
    }

    @Override
    @AfterAll
    void close() {
        super.close();
        stores.forEach(MemoryStore::close);
    }
}
