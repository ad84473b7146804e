package io.zarrengine.bench.loader;

import io.zarrengine.zarr.HostTensor;
import io.zarrengine.zarr.ZarrArray;
import io.zarrengine.zarr.datatype.NumericType;
import io.zarrengine.zarr.loader.Batch;
import io.zarrengine.zarr.loader.Loader;
import io.zarrengine.zarr.loader.LoaderBuilder;
import io.zarrengine.zarr.loader.Sampler;
import io.zarrengine.zarr.transform.Transform;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * One way to deliver batches.
 *
 * @param name of the row
 * @param base name of the row that it is compared with
 * @param batches makes a source of batches
 */
record LoaderRow(String name, String base, Source batches) {
    /** Samples in a batch. */
    static final int BATCH = 16;

    /** Batches that are read ahead of the current one. */
    static final int PREFETCH = 3;

    /** Starts a source of batches. */
    interface Source {
        Running start(ZarrArray array, Sampler crops);
    }

    /** A source of batches that has been started. */
    interface Running extends AutoCloseable {
        /** Takes a batch. */
        void take();

        @Override
        void close();
    }

    /** {@return the rows of an array} */
    static List<LoaderRow> of(ZarrArray array) {
        List<LoaderRow> rows = new ArrayList<>();
        rows.add(new LoaderRow("engine", "engine", EngineReads::new));
        rows.add(new LoaderRow("loader", "engine", (a, crops) -> new Loading(options(a, crops))));
        Transform scaled = Transform.identity().normalize(280, 10);
        if (array.dataType() == NumericType.INT16) {
            rows.add(
                    transformed(
                            "cf, normalize", Transform.cf(array.metadata()).normalize(280, 10)));
            return rows;
        }
        rows.add(transformed("normalize", scaled));
        rows.add(transformed("normalize, bfloat16", scaled.cast(NumericType.BFLOAT16)));
        rows.add(
                transformed(
                        "missing, normalize, clip",
                        Transform.identity().missing(9.96921e36).normalize(280, 10).clip(-3, 3)));
        rows.add(transformed("log1p", Transform.identity().log1p()));
        rows.add(transformed("mean 2 x 2", Transform.identity().mean(1, 2, 2)));
        rows.add(transformed("flip, permute", Transform.identity().flip(1).permute(1, 0, 2)));
        return rows;
    }

    private static LoaderRow transformed(String name, Transform transform) {
        return new LoaderRow(
                name,
                "loader",
                (array, crops) ->
                        new Loading(
                                options(array, crops)
                                        .output("x", "" + array.path().getFileName(), transform)));
    }

    private static LoaderBuilder options(ZarrArray array, Sampler crops) {
        return Loader.of(array, crops).batch(BATCH).prefetch(PREFETCH);
    }

    private static final class Loading implements Running {
        private final Loader<HostTensor> loader;
        private final Iterator<Batch<HostTensor>> batches;

        Loading(LoaderBuilder options) {
            loader = options.open();
            batches = loader.iterator();
        }

        @Override
        public void take() {
            batches.next();
        }

        @Override
        public void close() {
            loader.close();
        }
    }
}
