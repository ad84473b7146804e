package io.zarrengine.bench.compare;

import io.zarrengine.uring.Caching;
import io.zarrengine.zarr.ZarrEngine;
import io.zarrengine.zarr.ZarrEngineBuilder;
import java.util.Map;
import java.util.Set;

/** Opens engines with the options of a worker. */
final class WorkerOptions {
    private static final Set<String> OF_THE_READER =
            Set.of("in_flight", "list", "repeat", "allocate", "url");

    private WorkerOptions() {}

    static ZarrEngine open(Map<String, String> options) {
        ZarrEngineBuilder builder = ZarrEngine.builder();
        options.forEach((name, value) -> set(builder, name, value));
        return builder.open();
    }

    private static void set(ZarrEngineBuilder builder, String name, String value) {
        switch (name) {
            case "workers" -> builder.workers(Integer.parseInt(value));
            case "budget" -> builder.budgetBytes(Long.parseLong(value));
            case "cache" -> builder.chunkCacheBytes(Long.parseLong(value));
            case "direct" -> builder.caching(value.equals("1") ? Caching.DIRECT : Caching.BUFFERED);
            default -> {
                if (!OF_THE_READER.contains(name)) {
                    throw new UnsupportedOperationException("the engine has no option " + name);
                }
            }
        }
    }
}
